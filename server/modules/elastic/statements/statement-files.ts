import {
  ORDER_FIELDS,
  type OrderRow,
  PRODUCT_FIELDS,
  type ProductRow,
  toOrderRow,
  toProductRow,
} from '#contract/elastic/statements/statement-rows.ts'
import {
  type emailStatementFiles as emailOperation,
  type exportStatement as exportOperation,
  type getStatementPdf as pdfOperation,
  STATEMENT_TABLES,
  type StatementTable,
} from '#contract/elastic/statements/statements.ts'
import { partsByCurrency, type Statement } from '#domain/elastic/statements/statement.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { filterPhrases } from '#domain/filter/filter-phrases.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { emailFiles, type Report, toCsvFile } from '#server/modules/elastic/statements/email-files.ts'
import { shownRows } from '#server/modules/elastic/statements/shown-rows.ts'
import { loadStatementNotes } from '#server/modules/elastic/statements/statement-notes.ts'
import { describeStatement, type StatementHeader } from '#server/modules/elastic/statements/statement-pdf.ts'
import { loadStatement } from '#server/modules/elastic/statements/statements.ts'
import { type CsvCells, type CsvTable, csvTableAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

type Question = { filter?: FilterInput; sorting?: SortInput[] }

export async function exportStatement(call: Call<typeof exportOperation>): Promise<SentFile> {
  const { statement, header } = await loadStatement(call)
  return csvTableAnswer(call, toTable(call.body.table, statement, header, call.body))
}

export async function getStatementPdf(call: Call<typeof pdfOperation>): Promise<SentFile> {
  const { fileName, described } = await toReport(call, await loadStatement(call))
  return pdfAnswer(call, `${fileName}.pdf`, described)
}

/** The statement of any period, as it is computed now. It belongs to no series and freezes nothing. */
export function emailStatementFiles(call: Call<typeof emailOperation>): Promise<Result<typeof emailOperation>> {
  return emailFiles(call, async () => {
    const loaded = await loadStatement(call)
    const { statement, header } = loaded
    const tables = STATEMENT_TABLES.map((table) => toTable(table, statement, header, call.body[table]))
    if (tables.every(({ lines }) => lines.length === 0)) return undefined
    return { report: await toReport(call, loaded), csv: tables.map(toCsvFile) }
  })
}

/** The rows that the tables of the screen show, in their order, and what they add up to. */
async function toReport(
  { body, db, timeZone }: Call<typeof pdfOperation | typeof emailOperation>,
  { statement, header }: { readonly statement: Statement; readonly header: StatementHeader },
): Promise<Report> {
  const shown = {
    records: orderRows(statement, body.orders).map(({ record }) => record),
    products: productRows(statement, body.products).map(({ product, units, currency }) => ({
      product,
      used: units,
      currency,
    })),
  }
  const filterFacts = [
    ...filterFact('Filter of purchase orders', body.orders, ORDER_LABELS),
    ...filterFact('Filter of products', body.products, PRODUCT_LABELS),
  ]
  const notes = await loadStatementNotes(db, { ...header, timeZone })
  return {
    kind: 'statement',
    header,
    fileName: nameOf('statement', header),
    described: describeStatement(shown, header, { facts: filterFacts, notes }),
    facts: [
      ...filterFacts,
      ...partsByCurrency(shown).flatMap(({ currency, balanceBefore, used, balanceAfter }) => [
        ['Balance Before Start', `${formatDecimal(balanceBefore, 2)} ${currency}`] as const,
        ['Used', `${formatDecimal(used, 2)} ${currency}`] as const,
        ['Balance At End', `${formatDecimal(balanceAfter, 2)} ${currency}`] as const,
      ]),
    ],
    screen: { path: 'statementv2', search: { startDate: header.from, endDate: header.to } },
  }
}

function filterFact(
  label: string,
  question: Question = {},
  labels: ReadonlyMap<string, string>,
): (readonly [string, string])[] {
  // No column is an instant.
  const filter = filterPhrases(question.filter, { labels, timeText: String }).join(', ')
  return filter === '' ? [] : [[label, filter]]
}

function toTable(table: StatementTable, statement: Statement, header: StatementHeader, question?: Question): CsvTable {
  if (table === 'orders')
    return {
      fileName: `${nameOf('statement-by-purchase-order', header)}.csv`,
      header: ORDERS,
      lines: orderRows(statement, question).map(orderLine),
    }
  return {
    fileName: `${nameOf('statement-by-product', header)}.csv`,
    header: PRODUCTS,
    lines: productRows(statement, question).map(productLine),
  }
}

const orderRows = ({ records }: Statement, question: Question = {}): OrderRow[] =>
  shownRows(ORDER_FIELDS, question, records.map(toOrderRow))
const productRows = ({ products }: Statement, question: Question = {}): ProductRow[] =>
  shownRows(PRODUCT_FIELDS, question, products.map(toProductRow))

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
] as const
const ORDER_LABELS = labelsOf(ORDER_FIELDS, ORDERS)
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

const PRODUCTS = ['Product', 'Used', 'Currency'] as const
const PRODUCT_LABELS = labelsOf(PRODUCT_FIELDS, PRODUCTS)
const productLine = ({ product, used, currency }: ProductRow): CsvCells => [product, { amount: used }, currency]

/** The columns of a table by the names of their fields, which are in the same order. */
function labelsOf(fields: Fields, headers: readonly string[]): ReadonlyMap<string, string> {
  return new Map(Object.keys(fields).map((name, at) => [name, headers[at] ?? name]))
}
