import type { ServiceScope } from '#domain/access/roles.ts'
import type { CallParts } from '#server/testing/portal.ts'
import type { Rule } from '#server/testing/samples/rules.ts'
import type { Walk } from '#server/testing/samples/walk.ts'

export type Kind =
  | 'public'
  | 'signed-in'
  /**
   * `finds: false`: the sample names something that does not exist; or a list of the accounts on which it exists:
   * others get 404.
   */
  | { on: 'account'; may: Rule; despiteExport?: true; finds?: false | readonly string[] }
  /** Names a list of accounts, each of which must allow the call. */
  | { on: 'accounts'; may: Rule }
  /** For service keys, with this scope if one is needed. */
  | { on: 'service'; scope?: ServiceScope; finds?: false }
  | { on: 'portal'; may: readonly string[]; finds?: false }
export type Row = {
  kind: Kind
  sample(customerNumber: string, ...more: string[]): CallParts
  /** A sample that does not name the account: it follows from another field. */
  unnamed?(customerNumber: string): CallParts
}

/** What a module says about its operations. */
export type Samples = {
  /** By the name of the operation: a sample call, and who gets what from it. */
  rows: Readonly<Record<string, Row>>
  /** Calls that make what the next ones need, so that operations do what they are for. */
  walk?(walk: Walk): Promise<void>
}

export const signedIn = (parts: CallParts = {}): Row => ({ kind: 'signed-in', sample: () => parts })

/** A call about an account. Its body names the account, and says what else is given. */
export function on(
  may: Rule,
  more: object | ((customerNumber: string) => object) = {},
  rest: { despiteExport?: true; finds?: false | readonly string[] } = {},
): Row {
  const moreOf = typeof more === 'function' ? more : () => more
  const sample = (customerNumber: string) => ({ body: { customerNumber, ...moreOf(customerNumber) } })
  return { kind: { on: 'account', may, ...rest }, sample }
}

/** What the sample names does not exist. */
export const missing = (may: Rule, more: object): Row => on(may, more, { finds: false })

/** A call about an account, which is not named in a body. */
export const sampled = (may: Rule, sample: Row['sample'], rest: { despiteExport?: true; finds?: false } = {}): Row => ({
  kind: { on: 'account', may, ...rest },
  sample,
})

export const service = (scope: ServiceScope | undefined, sample: Row['sample'], rest: { finds?: false } = {}): Row => ({
  kind: { on: 'service', ...(scope ? { scope } : {}), ...rest },
  sample,
})

/** Several calls with one row. */
export const alike = (row: Row, ...names: readonly string[]): Record<string, Row> =>
  Object.fromEntries(names.map((name) => [name, row]))

/** What `declareList` makes of a list. */
export const list = (row: Row, ...names: readonly string[]): Record<string, Row> =>
  alike(row, ...names.flatMap((name) => ['', '/count', '/distinct'].map((call) => name + call)))

export const authors = { on: 'portal', may: ['olivia', 'adam'] } as const
