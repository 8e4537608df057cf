import {
  type exportWebReport as Export,
  type getWebReportPdf as Pdf,
  type getWebReport as Report,
  type ReportTable,
  reportFileName,
  type WireWebReport,
} from '#contract/web-licenses/web-report.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { createWebReport } from '#domain/web-licenses/web-report.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { describeWebReport } from '#server/modules/web-licenses/web-report-pdf.ts'
import { loadUseByUser, loadWebUse, readReportRange } from '#server/modules/web-licenses/web-use.ts'
import { listWebUsers } from '#server/modules/web-licenses/web-users.queries.ts'
import { type CsvCells, csvAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

export async function getWebReport(call: Call<typeof Report>): Promise<Result<typeof Report>> {
  const { report } = await loadReport(call)
  return { data: report }
}

export async function getWebReportPdf(call: Call<typeof Pdf>): Promise<SentFile> {
  const { report, range } = await loadReport(call)
  const { customerNumber } = call.standing
  const account = await loadAccount(call.db, customerNumber)
  const fileName = `${reportFileName(customerNumber, undefined, range.from, range.to)}.pdf`
  const header = { customerNumber, customerName: account.name, timeZone: call.timeZone, ...range }
  return pdfAnswer(call, fileName, describeWebReport(report, header))
}

export async function exportWebReport(call: Call<typeof Export>): Promise<SentFile> {
  const { report, range } = await loadReport(call)
  const { table } = call.body
  const { header, lines } = TABLES[table]
  const fileName = `${reportFileName(call.standing.customerNumber, table, range.from, range.to)}.csv`
  return csvAnswer(call, fileName, header, batches())

  async function* batches() {
    yield lines(report)
  }
}

const TABLES: Readonly<
  Record<ReportTable, { header: readonly string[]; lines(report: WireWebReport): readonly CsvCells[] }>
> = {
  days: {
    header: ['Day', 'Product', 'Peak', 'Seats'],
    lines: ({ products }) =>
      products.flatMap(({ product, days }) => days.map(({ day, peak, limit }) => [day, product, peak, limit])),
  },
  products: {
    header: ['Product', 'Seats', 'Peak', 'Peak Day', 'Checkouts', 'Users', 'Hours', 'Denials'],
    lines: ({ products }) =>
      products.map((one) => [
        one.product,
        one.limit,
        one.peak,
        one.peakDay,
        one.checkouts,
        one.users,
        { amount: one.hours },
        one.denials,
      ]),
  },
  users: {
    header: ['User', 'Name', 'Products', 'Checkouts', 'Hours', 'Denials'],
    lines: ({ users }) =>
      users.map((one) => [one.email, one.name, one.products, one.checkouts, { amount: one.hours }, one.denials]),
  },
}

async function loadReport(
  call: Call<typeof Report | typeof Pdf | typeof Export>,
): Promise<{ report: WireWebReport; range: DayRange }> {
  const { body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const range = readReportRange(body, timeZone)
  const scope = { range, timeZone, now }
  const report = createWebReport({
    ...(await loadWebUse(db, customerNumber, scope)),
    users: await loadUseByUser(db, customerNumber, scope),
  })
  const names = await listWebUsers(
    db,
    customerNumber,
    report.users.map(({ user }) => user),
  )
  return { range, report: toWire(report, names) }
}

function toWire(
  { products, users, reasons }: ReturnType<typeof createWebReport>,
  names: ReadonlyMap<string, string>,
): WireWebReport {
  return {
    products: products.map((one) => ({ ...one, days: [...one.days] })),
    users: users.map(({ user, ...one }) => ({ email: user, name: names.get(user) ?? '', ...one })),
    reasons: [...reasons],
  }
}
