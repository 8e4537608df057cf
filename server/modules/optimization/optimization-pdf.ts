import type { WireProductBalance } from '#contract/optimization/optimization.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { reasonsText } from '#domain/optimization/reasons-text.ts'
import { costText, NO_COST } from '#domain/optimization/seat-cost.ts'
import { SEAT_WORDS } from '#domain/optimization/seat-words.ts'
import type { PdfBlock, PdfColumn, PdfDescription } from '#server/pdf/pdf-description.ts'
import { type ReportHeader, reportFacts } from '#server/pdf/report-facts.ts'

const NUMBER = { align: 'right' } as const
const WEB_COLUMNS: readonly PdfColumn[] = [
  { title: 'Product', share: 3 },
  { title: 'Seats', ...NUMBER },
  { title: 'Peak', ...NUMBER },
  { title: 'Needed', ...NUMBER },
  { title: 'Days at Limit', ...NUMBER },
  { title: 'Denials', ...NUMBER },
  { title: 'Reasons', share: 2 },
  { title: 'Advice', share: 2 },
  { title: 'Cost', share: 2, ...NUMBER },
]
const ELASTIC_COLUMNS: readonly PdfColumn[] = [
  { title: 'Product', share: 3 },
  { title: 'Units Used', ...NUMBER },
  { title: 'Peak Sessions', ...NUMBER },
  { title: 'Denials', ...NUMBER },
  { title: 'Reasons', share: 2 },
  { title: 'Advice', share: 2 },
]

/** The report on paper: the same numbers as on screen. */
export function describeOptimization(
  products: readonly WireProductBalance[],
  header: ReportHeader,
): Pick<PdfDescription, 'title' | 'isLandscape' | 'blocks'> {
  const [web, elastic] = [ofLicense(products, 'Web'), ofLicense(products, 'Elastic')]
  const blocks: PdfBlock[] = [
    {
      kind: 'facts',
      facts: [
        ...reportFacts(header),
        ['Seats that could be released', count(web.reduce((sum, { releasable }) => sum + releasable, 0))],
        ['More seats that are needed', count(web.reduce((sum, { missing }) => sum + missing, 0))],
      ],
    },
    ...(web.length > 0 ? [{ kind: 'paragraph', text: seatWords(web) } as const] : []),
    ...seatMeters(web),
    {
      kind: 'table',
      title: 'Web licenses',
      columns: WEB_COLUMNS,
      rows: web.map((one) => ({
        cells: [
          one.product,
          count(one.seats),
          count(one.peak),
          count(one.needed),
          count(one.daysAtLimit),
          count(one.denials),
          reasonsText(one.reasons),
          one.adviceText,
          one.cost ? costText(one.cost) : one.noCost ? NO_COST[one.noCost].short : '',
        ],
      })),
    },
    {
      kind: 'table',
      title: 'Elastic products',
      columns: ELASTIC_COLUMNS,
      rows: elastic.map((one) => ({
        cells: [one.product, one.units, count(one.peak), count(one.denials), reasonsText(one.reasons), one.adviceText],
      })),
    },
  ]
  return { title: 'Optimization report', isLandscape: true, blocks }
}

const seatWords = (web: readonly WireProductBalance[]) =>
  [
    SEAT_WORDS.peak,
    SEAT_WORDS.needed,
    SEAT_WORDS.more,
    ...(web.some(({ cost }) => cost !== null) ? [SEAT_WORDS.cost] : []),
  ].join(' ')

/** The peak of each product within its seats. */
function seatMeters(web: readonly WireProductBalance[]): PdfBlock[] {
  const meters = web
    .filter(({ seats, peak }) => seats !== 0 || peak !== 0)
    .map(({ product, seats, peak }) => ({
      label: product,
      value: peak ?? 0,
      limit: seats ?? 0,
      text: `${count(peak)} of ${count(seats)} ${seats === 1 ? 'seat' : 'seats'}`,
    }))
  return meters.length > 0 ? [{ kind: 'meters', title: 'Peak use of the seats', meters }] : []
}

const ofLicense = (products: readonly WireProductBalance[], license: WireProductBalance['license']) =>
  products.filter((one) => one.license === license)

const count = (value: number | null) => (value === null ? '' : formatDecimal(String(value), 0))
