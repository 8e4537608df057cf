/** What other modules may use of webhooks: they write their events in the transaction of the change. */
export {
  listChosenEvents,
  listSubscribedAccounts,
  renameUsersInEvents,
  writeDenial,
  writeEvents,
  writeEventsOfAccounts,
} from '#server/modules/webhooks/write-events.queries.ts'
