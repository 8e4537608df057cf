import type * as oidc from 'openid-client'
import type { IDToken } from 'openid-client'

/** The provider of an account, as a sign-in uses it. */
export type AccountProvider = {
  /** Of the settings, by which a test knows what it has tested. */
  readonly version: number
  configuration(): Promise<oidc.Configuration>
}

type From = { readonly address: string; readonly requestId: string; readonly program: string | undefined }

/** What a test of a sign-in found out. */
export type TestOutcome = {
  readonly version: number
  /** Who began it. */
  readonly by: string
  /** The email address in the claims, if the portal can use it. */
  readonly email: string | undefined
  /** Why it failed; undefined if it succeeded. */
  readonly reason: string | undefined
  readonly claims: IDToken | undefined
}

/** The sign-in providers of accounts. The sign-in knows nothing else of their module. */
export type AccountProviders = {
  /** Undefined where the account has none. */
  load(customerNumber: string): Promise<AccountProvider | undefined>
  /** Gives and takes what the groups in the claims say. */
  applyGroups(customerNumber: string, email: string, claims: IDToken, from: From): Promise<void>
  /** Logs that the break-glass address of an account was used, and tells its administrators. */
  noteBreakGlass(customerNumber: string, email: string, from: From): Promise<void>
  /** Stores the outcome of a test, and returns the body of the page that shows it. */
  finishTest(customerNumber: string, outcome: TestOutcome, from: From): Promise<string>
}
