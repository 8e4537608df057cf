import type { UsageTransaction } from '#contract/elastic/usage/usage-list.ts'
import { timeIn } from '#domain/calendar/calendar-day.ts'
import { CHARGEBACK_LABELS, CHARGEBACK_NOUNS } from '#domain/elastic/statements/chargeback.ts'
import { formatDecimal, sum } from '#domain/money/decimal.ts'
import type { PersonDimension } from '#domain/provisioning/person-facts.ts'
import type { UsageSum } from '#server/modules/elastic/usage/usage-report.queries.ts'
import type { Described } from '#server/pdf/make-document.ts'
import type { PdfColumn, PdfRow, PdfTable } from '#server/pdf/pdf-description.ts'
import { type ReportHeader, reportFacts } from '#server/pdf/report-facts.ts'

/** How many transactions the file lists, and how many lines each table of sums has. */
export const MAX_LISTED = 500
const MAX_LINES = 200

export const LISTED_FIELDS = [
  'StartTime',
  'EndTime',
  'Product',
  'User',
  'Host',
  'Project',
  'Hours',
  'Charge',
  'Currency',
] as const
export type ListedUsage = Pick<UsageTransaction, (typeof LISTED_FIELDS)[number]>

const NUMBER = { align: 'right' } as const
const SUM_COLUMNS: readonly PdfColumn[] = [
  { title: 'Transactions', ...NUMBER },
  { title: 'Hours', ...NUMBER },
  { title: 'Cost', ...NUMBER },
  { title: 'Currency' },
]
const LISTED_COLUMNS: readonly PdfColumn[] = [
  { title: 'Start Time' },
  { title: 'End Time' },
  { title: 'Product', share: 3 },
  { title: 'Username', share: 2 },
  { title: 'Hostname', share: 2 },
  { title: 'Project', share: 2 },
  { title: 'Hours', ...NUMBER },
  { title: 'Cost', ...NUMBER },
  { title: 'Currency' },
]

type Content = {
  readonly sums: readonly UsageSum[]
  /** What the departments and cost centers of the users used, the most first; empty if no user has one. */
  readonly ofPeople: Readonly<Record<PersonDimension, readonly NamedSum[]>>
  /** The first of the transactions, at most `MAX_LISTED`. */
  readonly listed: readonly ListedUsage[]
  /** The filter in words; empty without one. */
  readonly filter: string
}

/** Usage on paper, for finance: what matches the filter of the screen, and the same sums as there. */
export function describeUsageReport(
  { sums, ofPeople, listed, filter }: Content,
  header: ReportHeader & { readonly timeZone: string },
): Described {
  const totals = sums.filter(({ by }) => by === 'all')
  const count = totals.reduce((before, { transactions }) => before + transactions, 0)
  return {
    title: 'Usage transactions',
    isLandscape: true,
    footnote: `Account ${header.customerNumber} · ${header.from} to ${header.to}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          ...reportFacts(header),
          ['Filter', filter || 'None'],
          ...totals.map((total) => ['Cost', `${formatDecimal(total.charge, 2)} ${total.currency}`] as const),
        ],
      },
      sumTable(
        'By product',
        'Product',
        sums.filter(({ by }) => by === 'product'),
        totals,
      ),
      sumTable(
        'By user',
        'Username',
        sums.filter(({ by }) => by === 'user'),
        totals,
      ),
      ...(['department', 'costCenter'] as const)
        .filter((by) => ofPeople[by].length > 0)
        .map((by) => sumTable(`By ${CHARGEBACK_NOUNS[by][0]}`, CHARGEBACK_LABELS[by], ofPeople[by], totals)),
      {
        kind: 'table',
        title: 'Transactions',
        columns: LISTED_COLUMNS,
        rows: listed.map((one) => ({ cells: listedCells(one, header.timeZone) })),
      },
      ...(count > listed.length
        ? [
            {
              kind: 'paragraph',
              text: `The newest ${countText(listed.length)} of ${countText(count)} transactions are listed, ${countText(count - listed.length)} are left out. The sums are of all ${countText(count)}. The CSV file has every transaction.`,
            } as const,
          ]
        : []),
    ],
  }
}

function sumTable(title: string, label: string, sums: readonly NamedSum[], totals: readonly UsageSum[]): PdfTable {
  const shown = totals.flatMap(({ currency }) => foldRest(sums.filter((one) => one.currency === currency)))
  return {
    kind: 'table',
    title,
    columns: [{ title: label, share: 1 }, ...SUM_COLUMNS],
    rows: [
      ...shown.map((one) => ({ cells: sumCells(one.name, one) })),
      ...totals.map((total): PdfRow => ({ role: 'total', cells: sumCells('Total', total) })),
    ],
  }
}

type Amounts = Pick<UsageSum, 'transactions' | 'hours' | 'charge' | 'currency'>
export type NamedSum = Amounts & { readonly name: string }

/** The largest ones, and the rest as one line, so that the lines add up to the total. */
function foldRest(sums: readonly NamedSum[]): NamedSum[] {
  const rest = sums.slice(MAX_LINES)
  const [first] = rest
  if (!first) return [...sums]
  return [
    ...sums.slice(0, MAX_LINES),
    {
      name: `${countText(rest.length)} others`,
      currency: first.currency,
      transactions: rest.reduce((before, { transactions }) => before + transactions, 0),
      hours: sum(rest.map(({ hours }) => hours)),
      charge: sum(rest.map(({ charge }) => charge)),
    },
  ]
}

const sumCells = (name: string, { transactions, hours, charge, currency }: Amounts) => [
  name,
  countText(transactions),
  formatDecimal(hours, 2),
  formatDecimal(charge, 2),
  currency,
]

function listedCells(one: ListedUsage, timeZone: string): string[] {
  const time = (instant: string | null) => (instant === null ? 'Active' : timeIn(timeZone, new Date(instant)))
  const amount = (value: number | null) => (value === null ? '' : formatDecimal(value, 2))
  return [
    time(one.StartTime),
    time(one.EndTime),
    one.Product,
    one.User,
    one.Host,
    one.Project ?? '',
    amount(one.Hours),
    amount(one.Charge),
    one.Currency,
  ]
}

const countText = (value: number) => formatDecimal(value, 0)
