/** What other modules may use of spending accounts. */
export { listContractRows } from '#server/modules/fsa/contracts.queries.ts'
