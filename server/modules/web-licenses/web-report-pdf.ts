import type { WireWebReport } from '#contract/web-licenses/web-report.ts'
import { pieSlices, pieTotal } from '#domain/chart/pie.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { CHECKOUT_REFUSAL_LABELS, type CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import type { PdfBlock, PdfColumn, PdfDescription } from '#server/pdf/pdf-description.ts'
import { type ReportHeader, reportFacts } from '#server/pdf/report-facts.ts'

const NUMBER = { align: 'right' } as const
const PRODUCT_COLUMNS: readonly PdfColumn[] = [
  { title: 'Product', share: 1 },
  { title: 'Seats', ...NUMBER },
  { title: 'Peak', ...NUMBER },
  { title: 'Peak Day' },
  { title: 'Checkouts', ...NUMBER },
  { title: 'Users', ...NUMBER },
  { title: 'Hours', ...NUMBER },
  { title: 'Denials', ...NUMBER },
]
const USER_COLUMNS: readonly PdfColumn[] = [
  { title: 'User', share: 3 },
  { title: 'Name', share: 2 },
  { title: 'Products', ...NUMBER },
  { title: 'Checkouts', ...NUMBER },
  { title: 'Hours', ...NUMBER },
  { title: 'Denials', ...NUMBER },
]
const DENIAL_COLUMNS: readonly PdfColumn[] = [
  { title: 'Reason', share: 1 },
  { title: 'Denials', ...NUMBER },
]
const DAY_COLUMNS: readonly PdfColumn[] = [
  { title: 'Day', share: 1 },
  { title: 'Peak', ...NUMBER },
  { title: 'Seats', ...NUMBER },
]

/** The report on paper: the same numbers as on screen. Products and days without use have no chart and no line. */
export function describeWebReport(
  { products, users, reasons }: WireWebReport,
  header: ReportHeader,
): Pick<PdfDescription, 'title' | 'isLandscape' | 'footnote' | 'blocks'> {
  const used = products.filter(({ peak }) => peak > 0)
  const slices = pieSlices(products.map(({ product, hours }) => ({ label: product, value: hours.toFixed(2) })))
  return {
    title: 'Web license report',
    isLandscape: true,
    footnote: `Account ${header.customerNumber} · ${header.from} to ${header.to}`,
    blocks: [
      {
        kind: 'facts',
        facts: [...reportFacts(header)],
      },
      {
        kind: 'table',
        title: 'Use per product',
        columns: PRODUCT_COLUMNS,
        rows: products.map((one) => ({
          cells: [
            one.product,
            count(one.limit),
            count(one.peak),
            one.peakDay ?? '',
            count(one.checkouts),
            count(one.users),
            hoursText(one.hours),
            count(one.denials),
          ],
        })),
      },
      ...used.map(
        ({ product, days }): PdfBlock => ({
          kind: 'days',
          title: `Peak concurrent use of ${product} per day`,
          series: ['Peak', 'Seats'],
          days: days.map(({ day, peak, limit }) => ({ day, value: peak, limit })),
        }),
      ),
      ...(slices.length > 0
        ? [
            {
              kind: 'pie',
              title: 'Hours per product',
              slices,
              texts: slices.map(({ value }) => formatDecimal(value, 2)),
              total: formatDecimal(pieTotal(slices), 2),
            } satisfies PdfBlock,
          ]
        : []),
      {
        kind: 'table',
        title: 'Use per user',
        columns: USER_COLUMNS,
        rows: users.map((one) => ({
          cells: [
            one.email,
            one.name,
            count(one.products),
            count(one.checkouts),
            hoursText(one.hours),
            count(one.denials),
          ],
        })),
      },
      {
        kind: 'table',
        title: 'Denials',
        columns: DENIAL_COLUMNS,
        rows: reasons.map((one) => ({
          cells: [CHECKOUT_REFUSAL_LABELS[one.reason as CheckoutRefusal] ?? one.reason, count(one.count)],
        })),
      },
      ...used.map(
        ({ product, days }): PdfBlock => ({
          kind: 'table',
          title: `Peak concurrent use of ${product}`,
          columns: DAY_COLUMNS,
          rows: days
            .filter(({ peak }) => peak > 0)
            .map(({ day, peak, limit }) => ({ cells: [day, count(peak), count(limit)] })),
        }),
      ),
    ],
  }
}

const count = (value: number) => formatDecimal(String(value), 0)
const hoursText = (value: number) => formatDecimal(value.toFixed(2), 2)
