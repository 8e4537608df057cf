import type { JsonValue } from '#domain/audit/canonical-json.ts'

/** Who acted: a signed-in person, a program with a key, somebody on the command line, the portal by itself, or nobody known. */
export const ACTOR_KINDS = ['person', 'service key', 'token', 'operator', 'portal', 'unknown'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export const OUTCOMES = ['done', 'refused'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The hash before the first row of a chain. */
export const CHAIN_START = '0'.repeat(64)

/** A sealed row as it is exported. `hash` covers every other field (docs/audit-log.md). */
export type AuditLine = {
  readonly customerNumber: string
  readonly sequence: number
  readonly time: string
  readonly actor: string
  readonly actorKind: ActorKind
  readonly action: string
  readonly text: string
  readonly target: string | null
  readonly address: string
  readonly program: string | null
  /** The name and id of the token or service key that acted; left out where there is none. */
  readonly credential?: string
  readonly outcome: Outcome
  readonly reason: string | null
  readonly requestId: string
  readonly before: JsonValue
  readonly after: JsonValue
  readonly previousHash: string
  readonly hash: string
}

/** The end of a chain at one moment, signed by the installation. */
export type Checkpoint = {
  readonly customerNumber: string
  readonly day: string
  readonly sequence: number
  readonly hash: string
  readonly madeAt: string
  readonly keyId: string
  readonly publicKey: string
  readonly signature: string
}

/** What the signature of a checkpoint covers. */
export const signedPart = ({ customerNumber, day, sequence, hash, madeAt, keyId }: Omit<Checkpoint, 'signature'>) => ({
  form: 'PORTAL-AUDIT-CHECKPOINT-1',
  customerNumber,
  day,
  sequence,
  hash,
  madeAt,
  keyId,
})
