import type { CallParts } from '#server/testing/portal.ts'

/** Who is expected to get what from every operation: written by hand from the table of rights, for the access matrix. */
const STAFF = ['olivia', 'sam', 'sara', 'adam']
export const SEES: Record<string, readonly string[]> = {
  '100001': [...STAFF, 'ada', 'cora', 'vic'],
  '100003': [...STAFF, 'greta', 'saul'],
  '100004': [...STAFF, 'ella'],
  '100008': [...STAFF, 'hal'],
  '999999': [],
}
export const EXPORT_DENIED = '100004'

/** Who gets past the account's own rule (for an account that they see and that export compliance leaves open). */
type Rule = (person: string, account: string) => boolean
const everyone: Rule = () => true

export type Kind =
  | 'public'
  | 'signed-in'
  | { on: 'account'; may: Rule; despiteExport?: true }
  | { on: 'portal'; may: readonly string[] }
type Row = { kind: Kind; sample(customerNumber: string): CallParts }

export const ROWS: Record<string, Row> = {
  getUserDetails: { kind: 'signed-in', sample: () => ({}) },
  getaccounts: { kind: 'signed-in', sample: () => ({ body: {} }) },
  'getaccounts/count': { kind: 'signed-in', sample: () => ({ body: {} }) },
  'getaccounts/distinct': {
    kind: 'signed-in',
    sample: () => ({
      body: { filter: { condition: 'ALL', criteria: [{ name: 'AccountID', method: 'STARTSWITH', value: '100' }] } },
    }),
  },
  getCustomerAccounts: { kind: 'signed-in', sample: () => ({ body: { limit: 2 } }) },
  accounts: {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ body: { customerNumber, limit: 2 } }),
  },
  getaccountinfo: {
    kind: { on: 'account', may: everyone, despiteExport: true },
    sample: (customerNumber) => ({ params: { customerNumber } }),
  },
  'notifications/active': { kind: 'signed-in', sample: () => ({}) },
  environment: { kind: 'public', sample: () => ({}) },
  getBuildInfo: { kind: 'signed-in', sample: () => ({}) },
  getFeatures: { kind: 'signed-in', sample: () => ({}) },
  setFeatures: { kind: 'signed-in', sample: () => ({ body: { features: ['home'] } }) },
  getPreferences: { kind: 'signed-in', sample: () => ({}) },
  savePreferences: {
    // Saving a view names an account in its rows: it answers 404 for one that the person does not see.
    kind: { on: 'account', may: everyone, despiteExport: true },
    sample: (customerNumber) => ({ body: { tables: [{ customerNumber, tableName: 'emailList' }] } }),
  },
}
