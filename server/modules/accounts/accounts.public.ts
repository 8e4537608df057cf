/** What other modules may use of accounts. */
export { accountScope } from '#server/modules/accounts/account.list.ts'
export { accountOf, exportDeniedAmong, unseenAmong } from '#server/modules/accounts/accounts.queries.ts'
export { visibleTo } from '#server/modules/accounts/visible-accounts.queries.ts'
