import { Readable } from 'node:stream'
import type { getMailedStatement as mailedOperation } from '#contract/elastic/statements/mailed-statements.ts'
import { type getStatement as operation, toWireStatement } from '#contract/elastic/statements/statements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { type DayRange, readDayOf } from '#domain/calendar/day-range.ts'
import { createStatement, NO_ENTITLEMENTS, type Statement } from '#domain/elastic/statements/statement.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { findMailedFile } from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import { listStatedEntitlements } from '#server/modules/elastic/statements/statement.queries.ts'
import { loadCorrections } from '#server/modules/elastic/statements/statement-notes.ts'
import { type Call, type Result, SentFile } from '#server/operations/route.ts'

/** How many entitlements a statement may have. */
export const MAX_STATED = 5000

export async function getStatement(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { statement, header } = await loadStatement(call)
  const Corrections = await loadCorrections(call.db, { ...header, timeZone: call.timeZone })
  return { data: { ...toWireStatement(statement, header), Corrections } }
}

export function statementFileName(customerNumber: string, { from, to }: DayRange, activationId = ''): string {
  return `statement_${[customerNumber, activationId, from, to].filter(Boolean).join('_')}.pdf`
}

type StatementCall = Pick<Call<typeof operation>, 'db' | 'now' | 'standing' | 'timeZone'> & { readonly body: Days }
type Days = { readonly from: string; readonly to: string }

export async function loadStatement(call: StatementCall) {
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

export function readPeriod(body: Days, timeZone: string): DayRange {
  const [from, to] = [readDayOf(body.from, timeZone), readDayOf(body.to, timeZone)]
  if (!from) throw new HttpError(400, 'body.from must be a day such as 2026-10-01')
  if (!to) throw new HttpError(400, 'body.to must be a day such as 2026-10-31')
  if (from > to) throw new HttpError(400, 'body.from must not be after body.to')
  return { from, to }
}

export async function getMailedStatement({
  audit,
  body,
  db,
  standing,
}: Call<typeof mailedOperation>): Promise<SentFile> {
  const file = await findMailedFile(db, standing.customerNumber, body.id)
  if (!file) throw new HttpError(404, 'There is no such statement.')
  await audit({ target: file.file_name, after: { id: file.id } })
  return new SentFile(file.file_name, Readable.from([file.pdf]), file.pdf.length, 'application/pdf')
}
