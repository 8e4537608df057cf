import {
  CHARGEBACK_FIELDS,
  type ChargebackTableRow,
  chargebackTableRow,
  type emailChargebackFiles as emailOperation,
  type exportChargeback as exportOperation,
  type getChargeback as operation,
  type getChargebackPdf as pdfOperation,
  toWireChargeback,
} from '#contract/elastic/statements/chargeback.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import {
  byPerson,
  CHARGEBACK_LABELS,
  type Chargeback,
  createChargeback,
} from '#domain/elastic/statements/chargeback.ts'
import { filterPhrases } from '#domain/filter/filter-phrases.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { listChargebackLines } from '#server/modules/elastic/statements/chargeback.queries.ts'
import { describeChargeback } from '#server/modules/elastic/statements/chargeback-pdf.ts'
import { emailFiles, type Report, toCsvFile } from '#server/modules/elastic/statements/email-files.ts'
import { shownRows } from '#server/modules/elastic/statements/shown-rows.ts'
import { readPeriod } from '#server/modules/elastic/statements/statements.ts'
import { loadPeople } from '#server/modules/provisioning/provisioning.public.ts'
import { type CsvCells, type CsvTable, csvTableAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

type FilesCall = Call<typeof exportOperation | typeof pdfOperation | typeof emailOperation>

export async function getChargeback(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  return { data: toWireChargeback(await loadChargeback(call)) }
}

export async function exportChargeback(call: Call<typeof exportOperation>): Promise<SentFile> {
  return csvTableAnswer(call, toTable(call, await loadShown(call)))
}

export async function getChargebackPdf(call: Call<typeof pdfOperation>): Promise<SentFile> {
  const { fileName, described } = await toReport(call, await loadShown(call))
  return pdfAnswer(call, `${fileName}.pdf`, described)
}

export function emailChargebackFiles(call: Call<typeof emailOperation>): Promise<Result<typeof emailOperation>> {
  return emailFiles(call, async () => {
    const rows = await loadShown(call)
    if (rows.length === 0) return undefined
    return { report: await toReport(call, rows), csv: [toCsvFile(toTable(call, rows))] }
  })
}

async function loadShown(call: FilesCall): Promise<ChargebackTableRow[]> {
  const { by } = call.body
  const { rows } = await loadChargeback(call)
  return shownRows(
    CHARGEBACK_FIELDS,
    call.body,
    rows.map((row) => chargebackTableRow(by, row)),
  )
}

function toTable(call: FilesCall, rows: readonly ChargebackTableRow[]): CsvTable {
  const header = [CHARGEBACK_LABELS[call.body.by], 'Used', 'Share (%)', 'Hours', 'Transactions', 'Currency']
  return { fileName: `${fileNameOf(call)}.csv`, header, lines: rows.map(lineOf) }
}

const lineOf = ({ name, used, share, hours, transactions, currency }: ChargebackTableRow): CsvCells => [
  name,
  { amount: used },
  share === null ? null : { amount: share, places: 1 },
  { amount: hours },
  transactions,
  currency,
]

async function toReport(call: FilesCall, rows: readonly ChargebackTableRow[]): Promise<Report> {
  const { body, db, standing, timeZone } = call
  const { by } = body
  const period = readPeriod(body, timeZone)
  const { name } = await loadAccount(db, standing.customerNumber)
  const header = { customerNumber: standing.customerNumber, customerName: name, ...period }
  const labels = new Map([
    ['name', CHARGEBACK_LABELS[by]],
    ['used', 'Used'],
    ['share', 'Share'],
    ['hours', 'Hours'],
    ['transactions', 'Transactions'],
    ['currency', 'Currency'],
  ])
  // No column is an instant.
  const filter = filterPhrases(body.filter, { labels, timeText: String }).join(', ')
  // The rows that are shown add up to the totals.
  const { totals } = createChargeback(rows.map(({ exact }) => exact))
  const filterFacts = filter === '' ? [] : [['Filter', filter] as const]
  return {
    kind: 'chargeback',
    header,
    fileName: fileNameOf(call),
    described: describeChargeback(by, { rows, totals }, header, filterFacts),
    facts: [
      ...filterFacts,
      ...totals.map(({ used, currency }) => ['Used', `${formatDecimal(used, 2)} ${currency}`] as const),
    ],
    screen: {
      path: 'statementv2',
      search: { tab: 'chargeback', chargeback: by, startDate: period.from, endDate: period.to },
    },
  }
}

function fileNameOf({ body, timeZone }: FilesCall): string {
  const { from, to } = readPeriod(body, timeZone)
  return `chargeback-by-${body.by}_${body.customerNumber}_${from}_${to}`
}

async function loadChargeback(call: Call<typeof operation> | FilesCall): Promise<Chargeback> {
  const { body, db, standing, timeZone } = call
  const period = readPeriod(body, timeZone)
  const { customerNumber } = standing
  const { by } = body
  const isOfPerson = by === 'department' || by === 'costCenter'
  const lines = await listChargebackLines(db, customerNumber, isOfPerson ? 'user' : by, period, MAX_FETCH_ALL + 1)
  if (lines.length > MAX_FETCH_ALL) throw tooManyRows()
  return createChargeback(isOfPerson ? byPerson(lines, await loadPeople(db, customerNumber), by) : lines)
}
