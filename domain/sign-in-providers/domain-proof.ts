/**
 * How a domain is proven: its owner publishes a text in DNS. It is read again every day. A text that is missing warns after some
 * days, and much later the domain no longer leads to the provider of the account. Nobody is locked out by that: people of
 * the domain then sign in as those of any other domain do.
 */

/** Failed checks in a row after which administrators are warned. */
export const WARN_AFTER = 3
/** Days without the record after which the domain counts as not proven any more. */
export const LAPSE_DAYS = 30

const DAY = 24 * 3_600_000
/** Somewhat less than a day: the hourly job then checks each domain at about the same time every day. */
export const CHECK_EVERY = DAY - 1_800_000

export const CHECK_OUTCOMES = ['found', 'missing', 'unanswered'] as const
/** `unanswered`: the name servers did not answer, so nothing is known. */
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

export const DOMAIN_STATES = ['waiting', 'proven', 'failing', 'lapsed'] as const
/** `failing` domains still count. */
export type DomainState = (typeof DOMAIN_STATES)[number]

export type DomainProof = {
  readonly provenAt: Date | null
  readonly failures: number
  /** The first failed check since the last good one. */
  readonly failingSince: Date | null
  readonly outcome: CheckOutcome | null
}

export function domainState({ provenAt, failures, failingSince, outcome }: DomainProof, now: Date): DomainState {
  if (provenAt === null) return 'waiting'
  if (failures < WARN_AFTER || failingSince === null) return 'proven'
  // Name servers that cannot be reached from here prove nothing.
  const isOver = outcome === 'missing' && now.getTime() - failingSince.getTime() >= LAPSE_DAYS * DAY
  return isOver ? 'lapsed' : 'failing'
}

export const isInForce = (state: DomainState): boolean => state === 'proven' || state === 'failing'

/** The proof after a check. */
export function afterCheck(proof: DomainProof, outcome: CheckOutcome, now: Date): DomainProof {
  if (outcome === 'found') return { provenAt: proof.provenAt ?? now, failures: 0, failingSince: null, outcome }
  if (proof.provenAt === null) return { ...proof, outcome }
  return { ...proof, failures: proof.failures + 1, failingSince: proof.failingSince ?? now, outcome }
}

/** The name of the TXT record. */
export const recordName = (domain: string): string => `_licensing-portal.${domain}`

/** The text of the TXT record. */
export const recordValue = (token: string): string => `licensing-portal-domain=${token}`

/** Whether one of the texts at the name is the proof. */
export const isProof = (texts: readonly string[], token: string): boolean =>
  texts.some((text) => text.trim() === recordValue(token))
