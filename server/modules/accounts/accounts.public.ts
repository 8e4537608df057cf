/** What other modules may use of accounts. */

export {
  listAddedContacts,
  listGrants,
  listLastOpened,
  removeGrants,
} from '#server/modules/accounts/access.queries.ts'
export { accountData } from '#server/modules/accounts/account-records.ts'
export {
  findStandings,
  findStandingsOn,
  type KnownAccount,
  listAdministrators,
} from '#server/modules/accounts/account-standings.queries.ts'
export {
  accountScope,
  exportApproved,
  findStaffStanding,
  hasAccounts,
  isOpenToContacts,
  loadAccount,
  visibleTo,
} from '#server/modules/accounts/accounts.queries.ts'
export {
  type AccountsInNeed,
  denialsOfLastDays,
  listAccountsInNeed,
} from '#server/modules/accounts/accounts-in-need.queries.ts'
export { contactData, grantData } from '#server/modules/accounts/contact-records.ts'
export {
  disableAccess,
  grantTo,
  hasOtherAccounts,
  listContacts,
  listSignIns,
  loadSwitches,
  lockAccount,
  revokeGrantsOf,
  saveContacts,
} from '#server/modules/accounts/contacts.queries.ts'
export { lockKnownAccounts, refuseUnknownAccounts } from '#server/modules/accounts/known-accounts.queries.ts'
export {
  findContactsByEmail,
  findGrantsByEmail,
  findSupportAddresses,
  searchAccounts,
  searchContacts,
} from '#server/modules/accounts/search.queries.ts'
