/** What other modules may use of reminders. */
export { loadBudgets } from '#server/modules/reminders/budgets.ts'
