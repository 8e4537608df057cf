import {
  type getStatement as operation,
  type getStatementPdf as pdfOperation,
  toWireStatement,
} from '#contract/elastic/statements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { type DayRange, instantsOf, readDayOf } from '#domain/calendar/day-range.ts'
import { correctionsNote } from '#domain/elastic/stated-corrections.ts'
import { createStatement, NO_ENTITLEMENTS, type Statement } from '#domain/elastic/statement.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { listStatedCorrections } from '#server/modules/elastic/corrections.queries.ts'
import { loadRunOutForecast } from '#server/modules/elastic/run-out.ts'
import { describeForecast } from '#server/modules/elastic/run-out-pdf.ts'
import { listStatedEntitlements } from '#server/modules/elastic/statement.queries.ts'
import { describeStatement } from '#server/modules/elastic/statement-pdf.ts'
import { pdfAnswer } from '#server/operations/pdf-answer.ts'
import type { Call, CsvFile, Result } from '#server/operations/route.ts'
import type { PdfBlock } from '#server/pdf/pdf-description.ts'

/** How many entitlements a statement may have. */
export const MAX_STATED = 5000

export async function getStatement(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { statement, header } = await loadStatement(call)
  return { data: { ...toWireStatement(statement, header), Corrections: await loadCorrections(call, header) } }
}

export async function getStatementPdf(call: Call<typeof pdfOperation>): Promise<CsvFile> {
  const { statement, header } = await loadStatement(call)
  const described = describeStatement(statement, header)
  const note = correctionsNote(await loadCorrections(call, header))
  const forecast = await loadRunOutForecast(call.db, header.customerNumber, header.reportDate)
  const more: PdfBlock[] = [
    ...(note ? [{ kind: 'paragraph', text: note } as const] : []),
    ...describeForecast(forecast),
  ]
  const fileName = statementFileName(header.customerNumber, header)
  return pdfAnswer(call, fileName, { ...described, blocks: [...described.blocks, ...more] })
}

export function statementFileName(customerNumber: string, { from, to }: DayRange, activationId = ''): string {
  return `statement_${[customerNumber, activationId, from, to].filter(Boolean).join('_')}.pdf`
}

const loadCorrections = (
  { db, timeZone }: Call<typeof operation | typeof pdfOperation>,
  { customerNumber, ...period }: DayRange & { readonly customerNumber: string },
) => listStatedCorrections(db, customerNumber, instantsOf(period, timeZone))

async function loadStatement(call: Call<typeof operation | typeof pdfOperation>) {
  const { db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const period = readPeriod(call.body, timeZone)
  const entitlements = await listStatedEntitlements(db, customerNumber, period, MAX_STATED + 1)
  if (entitlements.length > MAX_STATED) throw tooManyRows()
  const statement: Statement = createStatement(period, entitlements)
  if (statement.records.length === 0) throw new BusinessRefusal('NO_ACTIVE_ENTITLEMENTS', NO_ENTITLEMENTS)
  const account = await loadAccount(db, customerNumber)
  const header = { reportDate: dayIn(timeZone, now), customerNumber, customerName: account.name, ...period }
  return { statement, header }
}

export function readPeriod(body: { from: string; to: string }, timeZone: string): DayRange {
  const [from, to] = [readDayOf(body.from, timeZone), readDayOf(body.to, timeZone)]
  if (!from) throw new HttpError(400, 'body.from must be a day such as 2026-10-01')
  if (!to) throw new HttpError(400, 'body.to must be a day such as 2026-10-31')
  if (from > to) throw new HttpError(400, 'body.from must not be after body.to')
  return { from, to }
}
