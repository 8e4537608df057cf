import type { Kysely } from 'kysely'
import {
  ENDED_IN_PERIOD,
  type emailUsageFiles as emailOperation,
  exportedDays,
  financeFileName,
  type getUsagePdf as pdfOperation,
} from '#contract/elastic/usage/usage-exports.ts'
import { USAGE_CSV_COLUMNS, USAGE_LABELS } from '#contract/elastic/usage/usage-list.ts'
import { dayIn, timeIn } from '#domain/calendar/calendar-day.ts'
import { byPerson, createChargeback, MISSING_NAME } from '#domain/elastic/statements/chargeback.ts'
import { MAX_EXPORT, TOO_MANY_TRANSACTIONS, type UsageExportRequest } from '#domain/elastic/usage/usage-export.ts'
import { filterPhrases } from '#domain/filter/filter-phrases.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { PersonDimension } from '#domain/provisioning/person-facts.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { emailFiles, type Report } from '#server/modules/elastic/statements/email-files.ts'
import { type UsageScope, usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { listReportedUsage, type UsageSum } from '#server/modules/elastic/usage/usage-report.queries.ts'
import {
  describeUsageReport,
  LISTED_FIELDS,
  MAX_LISTED,
  type NamedSum,
} from '#server/modules/elastic/usage/usage-report-pdf.ts'
import { loadWideUsageScope } from '#server/modules/elastic/usage/usage-scope.ts'
import { loadPeople } from '#server/modules/provisioning/provisioning.public.ts'
import { pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

export async function getUsagePdf(call: Call<typeof pdfOperation>): Promise<SentFile> {
  const { body, db, standing, timeZone, now } = call
  const scope = await loadWideUsageScope(db, standing, body)
  await refuseTooMany(call, scope)
  const { fileName, described } = await loadUsageReport(db, { scope, request: body, timeZone, now })
  return pdfAnswer(call, `${fileName}.pdf`, described)
}

export function emailUsageFiles(call: Call<typeof emailOperation>): Promise<Result<typeof emailOperation>> {
  const { body, db, services, standing, timeZone, now } = call
  return emailFiles(call, async () => {
    const scope = await loadWideUsageScope(db, standing, body)
    if ((await refuseTooMany(call, scope)) === 0) return undefined
    const report = await loadUsageReport(db, { scope, request: body, timeZone, now })
    const pieces: Uint8Array[] = []
    const request = { filter: body.filter, sorting: body.sorting, columns: USAGE_CSV_COLUMNS }
    for await (const { bytes } of services.lists.csv(db, usageSource, scope, request, { timeZone })) pieces.push(bytes)
    return { report, csv: [{ name: `${report.fileName}.csv`, content: Buffer.concat(pieces) }] }
  })
}

/** How many transactions match. Too many are for the background export. */
async function refuseTooMany(
  { body, db, services, timeZone }: Call<typeof pdfOperation | typeof emailOperation>,
  scope: UsageScope,
): Promise<number> {
  const found = await services.lists.count(db, usageSource, scope, body, { timeZone, atMost: MAX_EXPORT + 1 })
  if (found > MAX_EXPORT) throw new BusinessRefusal('TOO_MANY_ROWS', TOO_MANY_TRANSACTIONS)
  return found
}

type Asked = {
  readonly scope: UsageScope
  readonly request: Pick<UsageExportRequest, 'filter' | 'sorting'>
  readonly timeZone: string
  readonly now: Date
}

async function loadOfPeople(
  db: Kysely<DB>,
  customerNumber: string,
  sums: readonly UsageSum[],
): Promise<Record<PersonDimension, NamedSum[]>> {
  const people = await loadPeople(db, customerNumber)
  const users = sums.filter(({ by }) => by === 'user').map(({ charge, ...one }) => ({ ...one, used: charge }))
  const ofDimension = (by: PersonDimension) => {
    const lines = byPerson(users, people, by)
    if (lines.every(({ name }) => name === '')) return []
    return createChargeback(lines).rows.map(({ name, used, ...one }) => ({
      ...one,
      name: name || (MISSING_NAME[by] ?? ''),
      charge: used,
    }))
  }
  return { department: ofDimension('department'), costCenter: ofDimension('costCenter') }
}

/** What matches the filter of the usage screen, with its sums. */
export async function loadUsageReport(db: Kysely<DB>, { scope, request, timeZone, now }: Asked): Promise<Report> {
  const { customerNumber } = scope
  const { filter } = request
  const { sums, listed } = await listReportedUsage(db, scope, request, {
    timeZone,
    fields: LISTED_FIELDS,
    most: MAX_LISTED,
  })
  const totals = sums.filter(({ by }) => by === 'all')
  const { name } = await loadAccount(db, customerNumber)
  const days = exportedDays(filter, timeZone)
  const to = days.to ?? dayIn(timeZone, now)
  const first = totals.map(({ firstStart }) => dayIn(timeZone, firstStart)).sort()[0] ?? to
  const header = { customerNumber, customerName: name, timeZone, from: days.from ?? first, to }
  const phrases = filterPhrases(
    { condition: 'ALL', criteria: days.others },
    { labels: USAGE_LABELS, timeText: (instant) => timeIn(timeZone, new Date(instant)) },
  )
  const words = [...(days.isEnded ? [ENDED_IN_PERIOD] : []), ...phrases].join('; ')
  return {
    kind: 'usage',
    header,
    fileName: financeFileName(customerNumber, filter, timeZone),
    described: describeUsageReport(
      { sums, ofPeople: await loadOfPeople(db, customerNumber, sums), listed, filter: words },
      header,
    ),
    facts: [
      ['Filter', words || 'None'],
      ...totals.map(({ charge, currency }) => ['Cost', `${formatDecimal(charge, 2)} ${currency}`] as const),
    ],
    screen: { path: 'transactions', search: { startDate: header.from, endDate: header.to } },
  }
}
