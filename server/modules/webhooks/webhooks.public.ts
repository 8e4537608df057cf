/** What other modules may use of webhooks: they write their events in the transaction of the change. */
export { removeEndpoint } from '#server/modules/webhooks/change-webhooks.ts'
export { listEndpoints } from '#server/modules/webhooks/endpoints.queries.ts'
export {
  listChosenEvents,
  listSubscribedAccounts,
  renameUsersInEvents,
  writeDenial,
  writeEvents,
  writeEventsOfAccounts,
} from '#server/modules/webhooks/write-events.queries.ts'
