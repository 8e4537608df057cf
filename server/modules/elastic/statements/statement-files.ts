import {
  ORDER_FIELDS,
  type OrderRow,
  PRODUCT_FIELDS,
  type ProductRow,
  toOrderRow,
  toProductRow,
} from '#contract/elastic/statements/statement-rows.ts'
import type {
  emailStatementFiles as emailOperation,
  exportStatement as exportOperation,
  StatementTable,
} from '#contract/elastic/statements/statements.ts'
import { partsByCurrency, type Statement } from '#domain/elastic/statements/statement.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { emailFiles, type Report, toCsvFile } from '#server/modules/elastic/statements/email-files.ts'
import { shownRows } from '#server/modules/elastic/statements/shown-rows.ts'
import { loadStatementNotes } from '#server/modules/elastic/statements/statement-notes.ts'
import { describeStatement, type StatementHeader } from '#server/modules/elastic/statements/statement-pdf.ts'
import { loadStatement } from '#server/modules/elastic/statements/statements.ts'
import { type CsvCells, type CsvTable, csvTableAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

type Question = Parameters<typeof shownRows>[1]

export async function exportStatement(call: Call<typeof exportOperation>): Promise<SentFile> {
  const { statement, header } = await loadStatement(call)
  return csvTableAnswer(call, toTable(call.body.table, statement, header, call.body))
}

/** The statement of any period, as it is computed now. It belongs to no series and freezes nothing. */
export function emailStatementFiles(call: Call<typeof emailOperation>): Promise<Result<typeof emailOperation>> {
  return emailFiles(call, async () => {
    const { statement, header } = await loadStatement(call)
    const notes = await loadStatementNotes(call.db, { ...header, timeZone: call.timeZone })
    const report: Report = {
      kind: 'statement',
      header,
      fileName: nameOf('statement', header),
      described: describeStatement(statement, header, notes),
      facts: partsByCurrency(statement).flatMap(({ currency, balanceBefore, used, balanceAfter }) => [
        ['Balance Before Start', `${formatDecimal(balanceBefore, 2)} ${currency}`],
        ['Used', `${formatDecimal(used, 2)} ${currency}`],
        ['Balance At End', `${formatDecimal(balanceAfter, 2)} ${currency}`],
      ]),
      screen: { path: 'statementv2', search: { startDate: header.from, endDate: header.to } },
    }
    return {
      report,
      csv: [toTable('orders', statement, header), toTable('products', statement, header)].map(toCsvFile),
    }
  })
}

function toTable(
  table: StatementTable,
  statement: Statement,
  header: StatementHeader,
  question: Question = {},
): CsvTable {
  if (table === 'orders') {
    const rows = shownRows(ORDER_FIELDS, question, statement.records.map(toOrderRow))
    return {
      fileName: `${nameOf('statement-by-purchase-order', header)}.csv`,
      header: ORDERS,
      lines: rows.map(orderLine),
    }
  }
  const rows = shownRows(PRODUCT_FIELDS, question, statement.products.map(toProductRow))
  return { fileName: `${nameOf('statement-by-product', header)}.csv`, header: PRODUCTS, lines: rows.map(productLine) }
}

const nameOf = (what: string, { customerNumber, from, to }: StatementHeader) =>
  `${what}_${customerNumber}_${from}_${to}`

const ORDERS = [
  'Purchase Order',
  'Activation ID',
  'Start Date',
  'End Date',
  'Balance Before Start',
  'Used',
  'Balance At End',
  'Currency',
]
const orderLine = (row: OrderRow): CsvCells => [
  row.ansysponum,
  row.activationid,
  row.startdate,
  row.enddate,
  { amount: row.balancebeforestart },
  { amount: row.used },
  { amount: row.balanceatend },
  row.currency,
]

const PRODUCTS = ['Product', 'Used', 'Currency']
const productLine = ({ product, used, currency }: ProductRow): CsvCells => [product, { amount: used }, currency]
