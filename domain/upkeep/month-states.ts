export type MonthState = { readonly month: string; readonly state: 'ready' | 'missing' | 'archived' }

/** Months of usage, the newest first: those that have a place, those that are archived, and those that must have a place. */
export function monthStates(present: readonly string[], archivedBefore: string | null, now: Date): MonthState[] {
  const needed = [0, 1].map((offset) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 7),
  )
  const missing = needed.filter((month) => !present.includes(month))
  const months: MonthState[] = [
    ...present.map((month) => ({ month, state: 'ready' as const })),
    ...missing.map((month) => ({ month, state: 'missing' as const })),
  ]
  months.sort((one, other) => (one.month < other.month ? 1 : -1))
  if (archivedBefore === null) return months
  const last = new Date(`${archivedBefore}T00:00:00Z`)
  last.setUTCMonth(last.getUTCMonth() - 1)
  return [...months, { month: last.toISOString().slice(0, 7), state: 'archived' }]
}
