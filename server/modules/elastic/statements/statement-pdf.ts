import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { ChartPart } from '#domain/chart/fold-rest.ts'
import { leftOutNote, pieSlices, pieTotal } from '#domain/chart/pie.ts'
import {
  type BroughtForward,
  hasLateUsage,
  type MailedRecord,
  type StatementKind,
} from '#domain/elastic/statements/mailed-statement.ts'
import { PIE_PARTS, partsByCurrency, type Statement } from '#domain/elastic/statements/statement.ts'
import { compare, formatDecimal, sum } from '#domain/money/decimal.ts'
import type { PdfBlock, PdfColumn, PdfDescription, PdfRow } from '#server/pdf/pdf-description.ts'
import { type ReportHeader, reportFacts } from '#server/pdf/report-facts.ts'

export type StatementHeader = Omit<ReportHeader, 'timeZone'> & { readonly reportDate: CalendarDay }

const ORDER_COLUMNS: readonly PdfColumn[] = [
  { title: 'Purchase Order', share: 1 },
  { title: 'Activation ID' },
  { title: 'Start Date' },
  { title: 'End Date' },
  { title: 'Balance Before Start', align: 'right' },
  { title: 'Used', align: 'right' },
  { title: 'Balance At End', align: 'right' },
  { title: 'Currency' },
]
const PRODUCT_COLUMNS: readonly PdfColumn[] = [
  { title: 'Product', share: 1 },
  { title: 'Used', align: 'right' },
  { title: 'Currency' },
]

type Described = Pick<PdfDescription, 'title' | 'isLandscape' | 'footnote' | 'blocks'>

type Facts = readonly (readonly [string, string])[]

/** A statement on paper: what the screen shows in both tables and both charts, and then the notes. */
export function describeStatement(
  statement: Statement,
  header: StatementHeader,
  { facts = [], notes }: { readonly facts?: Facts; readonly notes: readonly PdfBlock[] },
): Described {
  return describe('Elastic statement', statement, header, { facts, memo: [], notes })
}

const TITLES = { weekly: 'Weekly elastic statement', monthly: 'Monthly elastic statement' } as const

/** A mailed statement on paper, with what has become known of earlier periods since they were mailed. */
export function describeMailedStatement(
  kind: StatementKind,
  statement: Statement<MailedRecord>,
  header: StatementHeader,
  notes: readonly PdfBlock[],
): Described {
  return describe(TITLES[kind], statement, header, { memo: lateUsage(statement.records), notes })
}

function describe(
  title: string,
  statement: Statement,
  header: StatementHeader,
  { facts = [], memo, notes }: { facts?: Facts; memo: readonly PdfBlock[]; notes: readonly PdfBlock[] },
): Described {
  const parts = partsByCurrency(statement)
  return {
    title,
    isLandscape: true,
    footnote: `Account ${header.customerNumber} · ${header.from} to ${header.to}`,
    blocks: [
      {
        kind: 'facts',
        facts: [['Report Date', header.reportDate], ...reportFacts(header), ...facts],
      },
      {
        kind: 'table',
        title: 'Usage by purchase order',
        columns: ORDER_COLUMNS,
        rows: [
          ...statement.records.flatMap(orderRows),
          ...parts.flatMap(({ currency, balanceBefore, used, balanceAfter, purchaseOrders }): PdfRow[] =>
            purchaseOrders.length === 0
              ? []
              : [
                  {
                    role: 'total',
                    cells: ['Total', '', '', '', units(balanceBefore), units(used), units(balanceAfter), currency],
                  },
                ],
          ),
        ],
      },
      ...memo,
      ...parts.flatMap(({ currency, purchaseOrders }) =>
        describePie(`By purchase order, ${currency}`, purchaseOrders, PIE_PARTS.purchaseOrders),
      ),
      {
        kind: 'table',
        title: 'Usage by product',
        columns: PRODUCT_COLUMNS,
        rows: [
          ...statement.products.map(({ product, used, currency }) => ({ cells: [product, units(used), currency] })),
          ...parts.map(
            ({ currency, products }): PdfRow => ({
              role: 'total',
              cells: ['Total', units(sum(products.map(({ value }) => value))), currency],
            }),
          ),
        ],
      },
      ...parts.flatMap(({ currency, products }) =>
        describePie(`By product, ${currency}`, products, PIE_PARTS.products),
      ),
      ...notes,
    ],
  }
}

function orderRows(record: Statement['records'][number]): PdfRow[] {
  const { purchaseOrder, activationId, startDate, endDate, balanceBefore, used, balanceAfter, currency } = record
  return [
    {
      cells: [
        purchaseOrder,
        activationId,
        startDate,
        endDate ?? '',
        units(balanceBefore),
        units(used),
        units(balanceAfter),
        currency,
      ],
    },
    ...record.products.map(
      (product): PdfRow => ({
        role: 'detail',
        span: 4,
        cells: [product.product, '', '', '', '', units(product.used), '', currency],
      }),
    ),
  ]
}

const NO_LATE_USAGE = 'Late usage: none since the previous emailed statement.'
const LATE_USAGE =
  'Late usage ended in the period of an earlier emailed statement, but arrived after that statement was sent. It is not part of Used.'

type Forwarded = MailedRecord & { readonly broughtForward: BroughtForward }

/** How the balances of the previous statement became those at the start of this one, where usage arrived late. */
function lateUsage(records: readonly MailedRecord[]): PdfBlock[] {
  const forwarded = records.filter((record): record is Forwarded => record.broughtForward !== null)
  if (forwarded.length === 0) return []
  const late = forwarded.filter(({ broughtForward }) => hasLateUsage(broughtForward))
  if (late.length === 0) return [{ kind: 'paragraph', text: NO_LATE_USAGE }]
  // Units bought since and usage between the periods are rare.
  const columns = FORWARD_COLUMNS.filter(
    ({ isRare, value }) => !isRare || late.some((record) => compare(value(record), 0) !== 0),
  )
  return [
    {
      kind: 'table',
      title: 'Late usage',
      columns: [
        { title: 'Purchase Order', share: 1 },
        { title: 'Activation ID' },
        { title: 'Previous Period End Date' },
        ...columns.map(({ title }): PdfColumn => ({ title, align: 'right' })),
        { title: 'Currency' },
      ],
      rows: late.map((record) => ({
        cells: [
          record.purchaseOrder,
          record.activationId,
          record.broughtForward.to,
          ...columns.map(({ value }) => units(value(record))),
          record.currency,
        ],
      })),
    },
    { kind: 'paragraph', text: LATE_USAGE },
  ]
}

type ForwardColumn = { readonly title: string; readonly isRare?: true; value(record: Forwarded): string }
const FORWARD_COLUMNS: readonly ForwardColumn[] = [
  { title: 'Previous Balance At End', value: ({ broughtForward }) => broughtForward.balance },
  { title: 'Units Added', isRare: true, value: ({ broughtForward }) => broughtForward.added },
  { title: 'Late Usage', value: ({ broughtForward }) => broughtForward.late },
  { title: 'Used Between', isRare: true, value: ({ broughtForward }) => broughtForward.between },
  { title: 'Balance Before Start', value: ({ balanceBefore }) => balanceBefore },
]

/** No pie if nothing was used. */
export function describePie(title: string, parts: readonly ChartPart[], what: readonly [string, string]): PdfBlock[] {
  const slices = pieSlices(parts)
  if (slices.length === 0) return []
  const texts = slices.map(({ value }) => units(value))
  return [{ kind: 'pie', title, slices, texts, total: units(pieTotal(slices)), note: leftOutNote(parts, what) }]
}

const units = (value: string) => formatDecimal(value, 2)
