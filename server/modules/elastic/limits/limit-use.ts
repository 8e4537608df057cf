import type { Kysely } from 'kysely'
import type { LimitUseRow } from '#contract/elastic/limits/limits.ts'
import { addDays, type CalendarDay, startOfDay } from '#domain/calendar/calendar-day.ts'
import { usedOf } from '#domain/elastic/limits/decide-start.ts'
import { EXHAUSTION_WINDOW, exhaustionOf } from '#domain/elastic/limits/exhaustion.ts'
import { isInForce, limitsOn, namedSubject, partsOf, subjectText } from '#domain/elastic/limits/limit.ts'
import { periodStart, resetDay } from '#domain/elastic/limits/limit-period.ts'
import { formatHundredths, toFixedText } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { listLimitUse, listRefusedByLimits, type SubjectUse } from '#server/modules/elastic/limits/limit-use.queries.ts'
import type { StoredLimit } from '#server/modules/elastic/limits/limits.queries.ts'

export type At = { readonly today: CalendarDay; readonly timeZone: string; readonly now: Date }
export type UsedLimit = { readonly limit: StoredLimit; readonly uses: readonly SubjectUse[] }

/** The limits in force with what each subject has used of them, the most first. Subjects with an exception are with the exception only. */
export async function loadUsedLimits(
  db: Kysely<DB>,
  customerNumber: string,
  limits: readonly StoredLimit[],
  { today, now }: Pick<At, 'today' | 'now'>,
): Promise<UsedLimit[]> {
  if (limits.length === 0) return []
  const uses = Map.groupBy(await listLimitUse(db, customerNumber, { today, now }), ({ limitId }) => limitId)
  return limits
    .filter((limit) => isInForce(limit, today))
    .map((limit) => {
      const rivals = limits.filter((other) => other.subject === limit.subject && other.period === limit.period)
      const isChosen = (use: SubjectUse) =>
        rivals.length === 1 || limitsOn(rivals, use, { day: today, currency: limit.currency })[0] === limit
      return { limit, uses: (uses.get(limit.id) ?? []).filter(isChosen) }
    })
}

/** What the screen says about each limit in force. */
export async function loadLimitRows(
  db: Kysely<DB>,
  customerNumber: string,
  limits: readonly StoredLimit[],
  { today, timeZone, now }: At,
): Promise<ReadonlyMap<string, LimitUseRow>> {
  const used = await loadUsedLimits(db, customerNumber, limits, { today, now })
  const since = startOfDay(timeZone, addDays(today, -EXHAUSTION_WINDOW))
  const refused = Map.groupBy(await listRefusedByLimits(db, customerNumber, since), ({ limitId }) => limitId)
  return new Map(
    used.map(({ limit, uses: [first, ...others] }) => {
      const by = refused.get(limit.id) ?? []
      const amount = first ? formatHundredths(usedOf(first)) : '0.00'
      const isForOthers = partsOf(limit.subject).some((part) => limit[part] === null)
      const row: LimitUseRow = {
        used: amount,
        running: toFixedText(first?.running ?? '0', 2),
        name: first && isForOthers ? subjectText(namedSubject(limit, first)) : '',
        others: others.filter((use) => usedOf(use) > 0n).length,
        exhaustion: exhaustionOf(limit, amount, first ?? NOT_USED, today),
        since: periodStart(limit, today),
        resets: resetDay(limit, today),
        refused: by.reduce((sum, { count }) => sum + count, 0),
        refusedUsers: by.slice(0, MAX_USERS).map(({ user }) => user),
      }
      return [limit.id, row]
    }),
  )
}

const MAX_USERS = 3
const NOT_USED = { recent: '0', since: null }
