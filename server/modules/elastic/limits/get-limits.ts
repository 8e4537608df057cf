import type { exportLimits as exportOperation, getLimits as operation } from '#contract/elastic/limits/limits.ts'
import { addDays, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { EXHAUSTION_WINDOW, exhaustionText } from '#domain/elastic/limits/exhaustion.ts'
import { PERIOD_LABELS, SUBJECT_LABELS, subjectText } from '#domain/elastic/limits/limit.ts'
import { countNotAllowed, findLimitChoices } from '#server/modules/elastic/limits/limit-use.queries.ts'
import { type At, loadLimitRows } from '#server/modules/elastic/limits/limit-use.ts'
import { loadLimits } from '#server/modules/elastic/limits/limits.queries.ts'
import { csvTableAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

const atOf = ({ now, timeZone }: Pick<Call<typeof operation>, 'now' | 'timeZone'>): At => ({
  today: dayIn(timeZone, now),
  timeZone,
  now,
})

export async function getLimits(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { db, standing } = call
  const { customerNumber } = standing
  const at = atOf(call)
  const saved = await loadLimits(db, customerNumber)
  const rows = await loadLimitRows(db, customerNumber, saved.limits, at)
  const { currencies, products } = await findLimitChoices(db, customerNumber)
  const since = startOfDay(at.timeZone, addDays(at.today, -EXHAUSTION_WINDOW))
  return {
    data: {
      saved,
      use: Object.fromEntries(rows),
      today: at.today,
      timeZone: at.timeZone,
      currencies,
      products,
      denials: await countNotAllowed(db, customerNumber, since),
    },
  }
}

const HEADER = [
  'Limit',
  'Subject',
  'User',
  'Project',
  'Product',
  'Period',
  'Currency',
  'Warn At',
  'Refuse At',
  'From',
  'To',
  'Used',
  'Running',
  'Used Most By',
  'Used Up On',
  'Resets On',
  `Refused (last ${EXHAUSTION_WINDOW} days)`,
]

export async function exportLimits(call: Call<typeof exportOperation>): Promise<SentFile> {
  const { db, standing } = call
  const { customerNumber } = standing
  const at = atOf(call)
  const { limits } = await loadLimits(db, customerNumber)
  const rows = await loadLimitRows(db, customerNumber, limits, at)
  const lines = limits.map((limit) => {
    const use = rows.get(limit.id)
    return [
      subjectText(limit),
      SUBJECT_LABELS[limit.subject],
      limit.user,
      limit.project,
      limit.product,
      PERIOD_LABELS[limit.period],
      limit.currency,
      limit.warnAt === null ? null : { amount: Number(limit.warnAt) },
      limit.refuseAt === null ? null : { amount: Number(limit.refuseAt) },
      limit.from,
      limit.to,
      use ? { amount: Number(use.used) } : null,
      use ? { amount: Number(use.running) } : null,
      use?.name ?? null,
      use ? exhaustionText(use.exhaustion as Parameters<typeof exhaustionText>[0]) : null,
      use?.resets ?? null,
      use?.refused ?? null,
    ]
  })
  return csvTableAnswer(call, { fileName: `limits_${customerNumber}_${at.today}.csv`, header: HEADER, lines })
}
