import type { Static, TSchema } from 'typebox'
import { type Address, addressOf } from '#contract/kit/addresses.ts'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import type { Upload } from '#contract/kit/upload.ts'
import type { AccountAction, PortalAction } from '#domain/access/can.ts'
import type { ServiceScope } from '#domain/access/roles.ts'
import type { Words } from '#domain/audit/words.ts'
import type { PROVISIONING_SCOPE, TokenArea } from '#domain/tokens/token-areas.ts'

/**
 * Who may call an operation. The server's guard reads only this field, so no operation can be registered without it.
 * The access matrix test walks the same field.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'portal'; readonly action: PortalAction }
  | {
      readonly kind: 'account'
      readonly action: AccountAction
      readonly customerNumberIn: 'body' | 'params' | 'query'
      /** The name of the customer number in this operation, where it differs. */
      readonly customerNumberName?: 'customerid'
      /** May be called without naming an account, by anyone who is signed in. */
      readonly optional?: true
      /** A body with this value in this field needs this action instead. */
      readonly exception?: { readonly field: string; readonly value: string; readonly action: AccountAction }
    }
  | {
      readonly kind: 'accounts'
      readonly action: AccountAction
      /** Which list of the body names the accounts; the action must be allowed on every one of them. */
      readonly customerNumbersIn: `${string}[]` | `${string}[].${string}`
    }
  /** For the vendor's own systems: a service key with this scope, or any valid key if there is none. */
  | { readonly kind: 'service'; readonly scope?: ServiceScope }

const KIBIBYTE = 1024
/** The largest body in bytes, unless the operation declares another limit. */
export const BODY_LIMIT = 64 * KIBIBYTE
/** For a filter of 600 criteria with some hundred long values, or a list of hundreds. */
export const LIST_BODY_LIMIT = 256 * KIBIBYTE
/** For a body that names thousands of people, seats or rules. */
export const BATCH_BODY_LIMIT = 1024 * KIBIBYTE

type Fields = {
  readonly name: string
  readonly summary: string
  readonly access: Access
  /**
   * The area whose scope opens it to API tokens, or several, of which the use case checks the one that the call is about.
   * `null`: people only, or for the vendor's systems.
   */
  readonly token: TokenArea | readonly TokenArea[] | typeof PROVISIONING_SCOPE | null
  /**
   * Whether calls of one caller wait for each other. By default reads and uploads do, other writes do not. False for reads that only
   * look up a few rows by their key; true for writes in large batches.
   */
  readonly takesTurns?: boolean
  /**
   * Reports work that goes on after the call that began it. The caller's next read must see what is reported as done, also
   * if a replica answers it.
   */
  readonly reportsWork?: true
  /** The answer holds a secret, so it is not stored for the Idempotency-Key. A repeated call must do no harm. */
  readonly isAnswerSecret?: true
  /**
   * Shows a secret or changes who or what gets in. People whose sign-in is older than a setting are refused with FRESH_SIGN_IN_NEEDED, and sign in
   * again first. Tokens are not asked: an administrator gave them the scope. Revoking is exempt, because it has to be quick.
   */
  readonly freshSignIn?: true
  /** Only ever called by a timer or an event, never by a person: does not extend a session. */
  readonly background?: boolean
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body as the documentation shows it, where the use case checks a part of it by itself. */
  readonly documentedBody?: TSchema
  /** The largest body in bytes, where `BODY_LIMIT` is too small. */
  readonly bodyLimit?: number
  /** The body is a multipart form with a file in it, not JSON. */
  readonly upload?: Upload
  /** What `data` holds in a SUCCESS answer. */
  readonly data: TSchema
  /** Further fields of a SUCCESS answer, such as the continuation token of a list. */
  readonly extraFields?: Record<string, TSchema>
  /** The codes of business refusals that it can answer with HTTP 200 and FAILURE. Tests check that there are no others. */
  readonly refusals?: readonly FailureCode[]
  /** Sends an ETag, and 304 to a call that has it in If-None-Match. */
  readonly isConditional?: true
  /** The answer is not JSON but this media type (exports, PDF). */
  readonly media?: string
  /**
   * Bodies, answers and errors have the form of this standard instead of ours. The use case reads the body by itself, and answers
   * a `WireAnswer` with its own status.
   */
  readonly wire?: 'scim'
}

/**
 * A call that writes runs in a transaction, wants the cross-site header from people, honours Idempotency-Key, and has an
 * entry in the audit log: `audit` are its words, or says what keeps the change instead. Such calls can be refused, too.
 */
type Writing = { readonly writes: true; readonly audit: Words | ({ readonly none: string } & Partial<Words>) }
/** A call that only reads has an entry if `audit` has words for it. */
type Reading = { readonly writes: false; readonly audit?: Words }

export type Operation = Address & Fields & (Writing | Reading)

/**
 * Header of calls that no person started: a poll, a refresh, a reload after an event. A call with this header does not
 * extend the session.
 */
export const BACKGROUND_HEADER = 'x-background'

/** Whether calls of one caller wait for each other. */
export const takesTurns = ({ takesTurns: declared, writes, upload }: Operation): boolean =>
  declared ?? (!writes || upload !== undefined)

/** The codes of its business refusals: those that it declares, and the time limit of reads that take turns. */
export const refusalsOf = (operation: Operation): readonly FailureCode[] => [
  ...(operation.refusals ?? []),
  ...(takesTurns(operation) && !operation.writes && !operation.wire ? (['LIST_TIMEOUT'] as const) : []),
]

type Definition = Fields & (Writing | Reading) & Partial<Address>

const OUTSIDE_OF_API = /^(service|scim)\//

/** Only operations outside of /api say how they are called; what browsers call is in `addresses.ts`. */
export function operation<const O extends Definition>(definition: O): O & Address {
  return {
    method: 'POST',
    path: '',
    ...definition,
    ...(OUTSIDE_OF_API.test(definition.name) ? {} : addressOf(definition.name)),
  }
}

type Part<O extends Operation, K extends 'params' | 'query' | 'body'> = O[K] extends TSchema ? Static<O[K]> : undefined
export type BodyOf<O extends Operation> = Part<O, 'body'>
export type QueryOf<O extends Operation> = Part<O, 'query'>
export type ParamsOf<O extends Operation> = Part<O, 'params'>
export type DataOf<O extends Operation> = Static<O['data']>
export type ExtraFieldsOf<O extends Operation> =
  O['extraFields'] extends Record<string, TSchema>
    ? { [K in keyof O['extraFields']]?: Static<O['extraFields'][K]> }
    : object
