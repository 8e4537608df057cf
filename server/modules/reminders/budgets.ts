import type { Kysely } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { startOfMonth } from '#domain/calendar/calendar-periods.ts'
import { type OverBudget, overBudget, type Spending } from '#domain/reminders/due-reminders.ts'
import type { Reminders } from '#domain/reminders/reminders.ts'
import type { DB } from '#server/db/schema.ts'
import { listSpending } from '#server/modules/elastic/elastic.public.ts'
import { loadReminders } from '#server/modules/reminders/reminders.queries.ts'

type Budgets = { readonly count: number; readonly over: OverBudget[] }

/** The budgets of an account and those that are used up in this calendar month; null if it has none. */
export async function loadBudgets(db: Kysely<DB>, customerNumber: string, today: CalendarDay): Promise<Budgets | null> {
  const { budgets } = await loadReminders(db, customerNumber)
  if (budgets.length === 0) return null
  return { count: budgets.length, over: overBudget(budgets, await listBudgeted(db, customerNumber, budgets, today)) }
}

/** What the projects and users with a budget have spent in this calendar month. */
export async function listBudgeted(
  db: Kysely<DB>,
  customerNumber: string,
  budgets: Reminders['budgets'],
  today: CalendarDay,
): Promise<Spending[]> {
  if (budgets.length === 0) return []
  const named = (wanted: 'project' | 'user') => budgets.filter(({ by }) => by === wanted).map(({ name }) => name)
  const month = { from: startOfMonth(today), to: today }
  return listSpending(db, customerNumber, month, { projects: named('project'), users: named('user') })
}
