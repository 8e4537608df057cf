/** The expected answers of every operation, written by hand from the table of rights, for the access matrix. */
export const STAFF = ['olivia', 'sam', 'sara', 'adam']
export const SEES: Record<string, readonly string[]> = {
  '100001': [...STAFF, 'ada', 'cora', 'vic'],
  '100003': [...STAFF, 'greta', 'saul'],
  '100004': [...STAFF, 'ella'],
  '100008': [...STAFF, 'hal'],
  '999999': [],
}
export const EXPORT_DENIED = '100004'

/**
 * Whether a person passes the account's own rule (for an account that they see and that export compliance approves).
 */
export type Rule = (person: string, account: string) => boolean
export const everyone: Rule = () => true
/** 100008 has access disabled: that leaves business operations, support and sales, but not the staff role admin. */
export const selfServed: Rule = (person, account) => account !== '100008' || ['olivia', 'sam', 'sara'].includes(person)
/** Where access is disabled, staff and FNP license generators only. */
export const notShutOut: Rule = (person, account) => account !== '100008' || STAFF.includes(person)
/** People of the account, but no staff: they wait for its seats. */
export const waiters: Rule = (person, account) => !STAFF.includes(person) && selfServed(person, account)
const WRITERS: Record<string, readonly string[]> = {
  '100001': ['olivia', 'ada', 'cora'],
  '100003': ['olivia', 'greta'],
  '100008': ['olivia'],
}
export const writers: Rule = (person, account) => WRITERS[account]?.includes(person) ?? false
/** FNP license generators may write, except for the list of contacts. */
export const granters: Rule = (person, account) => person !== 'greta' && writers(person, account)
/** A token has the rights of its owner as a contact: staff roles are not enough. */
export const administrators: Rule = (person, account) => person !== 'olivia' && granters(person, account)
/** Those who manage the account, and staff. */
export const auditors: Rule = (person, account) =>
  STAFF.includes(person) || (granters(person, account) && notShutOut(person, account))
export const onlyOlivia: Rule = (person) => person === 'olivia'
export const anyStaff: Rule = (person) => STAFF.includes(person)
