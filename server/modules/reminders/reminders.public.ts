/** What other modules may use of reminders. */
export { loadBudgets } from '#server/modules/reminders/budgets.ts'
export { listFeeds, revokeFeed, revokeFeedsOf } from '#server/modules/reminders/calendar-feeds.queries.ts'
