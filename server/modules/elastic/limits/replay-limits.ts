import type { Kysely } from 'kysely'
import type { LimitsReplay, replayLimits as operation } from '#contract/elastic/limits/limits.ts'
import { addDays, type CalendarDay, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { startOfMonth } from '#domain/calendar/calendar-periods.ts'
import { isOfPeople, type Limit, type StartNames, userKey } from '#domain/elastic/limits/limit.ts'
import type { ProductRule } from '#domain/elastic/limits/product-rules.ts'
import {
  limitsToReplay,
  type PastMonth,
  replayLimits as replay,
  type UsedBefore,
} from '#domain/elastic/limits/replay-limits.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import {
  listPastCorrections,
  listPastDenials,
  listPastSessions,
  listUsedBefore,
} from '#server/modules/elastic/limits/past-month.queries.ts'
import { readLimits, readProductRules } from '#server/modules/elastic/limits/save-limits.ts'
import { loadPeople } from '#server/modules/provisioning/provisioning.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** More sessions, corrections or refused starts in a month than can be replayed while somebody waits. */
const MAX_PAST = 50_000

export async function replayLimits(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, now, standing, timeZone } = call
  const limits = readLimits(body.limits)
  const rules = readProductRules(body.productRules)
  return { data: await replayLastMonth(db, standing.customerNumber, { limits, rules }, { now, timeZone }) }
}

/** What limits and product rules would have refused in the last calendar month of the account. */
async function replayLastMonth(
  db: Kysely<DB>,
  customerNumber: string,
  { limits, rules }: { readonly limits: readonly Limit[]; readonly rules: readonly ProductRule[] },
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Promise<LimitsReplay> {
  const today = dayIn(timeZone, now)
  const to = addDays(startOfMonth(today), -1)
  const from = startOfMonth(to)
  const current = limitsToReplay(limits, today)
  const month = await loadMonth(db, customerNumber, { from, to, now, timeZone, limits: current })
  const { limits: found, ...sums } = replay(month, current, rules)
  return {
    from,
    to,
    ...sums,
    limits: limits.map((limit) => {
      const one = found[current.indexOf(limit)]
      if (!one) return null
      const { refused, units, most, firstAt } = one
      return { refused, units, most: [...most], firstAt: firstAt === null ? null : new Date(firstAt).toISOString() }
    }),
  }
}

type Asked = {
  readonly from: CalendarDay
  readonly to: CalendarDay
  readonly now: Date
  readonly timeZone: string
  readonly limits: readonly Limit[]
}

async function loadMonth(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to, now, timeZone, limits }: Asked,
): Promise<PastMonth> {
  const start = startOfDay(timeZone, from)
  const month = { from: start, to: startOfDay(timeZone, addDays(to, 1)), now, limit: MAX_PAST + 1 }
  const sessions = await listPastSessions(db, customerNumber, month)
  const corrections = await listPastCorrections(db, customerNumber, month)
  const denials = await listPastDenials(db, customerNumber, month)
  if ([sessions, corrections, denials].some(({ length }) => length > MAX_PAST))
    throw new BusinessRefusal(
      'TOO_MANY_ROWS',
      `The account had more than ${MAX_PAST.toLocaleString('en-US')} sessions last month: too many to tell what the limits would have refused.`,
    )
  const usedBefore: UsedBefore[] = []
  for (const [index, limit] of limits.entries()) {
    // What begins later is tried as if it had begun with the month.
    if (limit.period !== 'all' || (limit.from !== null && limit.from >= from)) continue
    const { subject, currency } = limit
    const used = await listUsedBefore(db, customerNumber, { subject, currency, from: limit.from, until: from })
    usedBefore.push(...used.map((one) => ({ ...one, limit: index })))
  }
  const people = limits.some(({ subject }) => isOfPeople(subject)) ? await loadPeople(db, customerNumber) : undefined
  const known = <P extends { readonly names: StartNames }>(past: readonly P[]): readonly P[] =>
    people ? past.map((one) => ({ ...one, names: { ...one.names, ...people.get(userKey(one.names.user)) } })) : past
  return {
    timeZone,
    from: start.getTime(),
    sessions: known(sessions),
    corrections: known(corrections),
    denials: known(denials),
    usedBefore: known(usedBefore),
  }
}
