/** What other modules may use of spending accounts. */

export { saveDraft } from '#server/modules/fsa/change-drafts.ts'
export { fsaContractData } from '#server/modules/fsa/contract-records.queries.ts'
export { listAccountsWithEndingContracts, listContractRows } from '#server/modules/fsa/contracts.queries.ts'
export { refuseOrders } from '#server/modules/fsa/order-balances.queries.ts'
export { orderProduct, requireOffer } from '#server/modules/fsa/order-product.ts'
export { loadSpendingAccounts } from '#server/modules/fsa/spending-accounts.ts'
