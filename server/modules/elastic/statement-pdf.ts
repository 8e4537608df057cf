import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { pieSlices } from '#domain/chart/pie.ts'
import { partsByCurrency, type Statement } from '#domain/elastic/statement.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { PdfBlock, PdfColumn, PdfDescription, PdfRow } from '#server/pdf/pdf-description.ts'

type Header = {
  readonly reportDate: CalendarDay
  readonly customerNumber: string
  readonly customerName: string
  readonly from: CalendarDay
  readonly to: CalendarDay
}

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

/** A statement on paper: the same numbers as on screen, in both tables and both charts. */
export function describeStatement(
  statement: Statement,
  header: Header,
): Pick<PdfDescription, 'title' | 'isLandscape' | 'blocks'> {
  const parts = partsByCurrency(statement)
  return {
    title: 'Elastic statement',
    isLandscape: true,
    blocks: [
      {
        kind: 'facts',
        facts: [
          ['Report Date', header.reportDate],
          ['Account ID (Account Name)', `${header.customerNumber} (${header.customerName})`],
          ['Period Start Date', header.from],
          ['Period End Date', header.to],
        ],
      },
      {
        kind: 'table',
        title: 'Usage by purchase order',
        columns: ORDER_COLUMNS,
        rows: [
          ...statement.records.flatMap(orderRows),
          ...parts.map(
            ({ currency, balanceBefore, used, balanceAfter }): PdfRow => ({
              role: 'total',
              cells: ['Total', '', '', '', units(balanceBefore), units(used), units(balanceAfter), currency],
            }),
          ),
        ],
      },
      ...parts.flatMap(({ currency, purchaseOrders }) => pie(`By purchase order, ${currency}`, purchaseOrders)),
      {
        kind: 'table',
        title: 'Usage by product',
        columns: PRODUCT_COLUMNS,
        rows: [
          ...statement.products.map(({ product, used, currency }) => ({ cells: [product, units(used), currency] })),
          ...parts.map(({ currency, used }): PdfRow => ({ role: 'total', cells: ['Total', units(used), currency] })),
        ],
      },
      ...parts.flatMap(({ currency, products }) => pie(`By product, ${currency}`, products)),
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

/** Nothing was used: no pie. */
function pie(title: string, parts: Parameters<typeof pieSlices>[0]): PdfBlock[] {
  const slices = pieSlices(parts)
  return slices.length > 0 ? [{ kind: 'pie', title, slices, texts: slices.map(({ value }) => units(value)) }] : []
}

const units = (value: string) => formatDecimal(value, 2)
