import type { FeatureUse } from '#contract/license-use/license-use.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { PdfBlock, PdfColumn, PdfDescription } from '#server/pdf/pdf-description.ts'
import { type ReportHeader, reportFacts } from '#server/pdf/report-facts.ts'

const NUMBER = { align: 'right' } as const
const COLUMNS: readonly PdfColumn[] = [
  { title: 'License Server', share: 3 },
  { title: 'Feature', share: 3 },
  { title: 'Seats', ...NUMBER },
  { title: 'In Use', ...NUMBER },
  { title: 'Peak', ...NUMBER },
  { title: 'Never Used', ...NUMBER },
  { title: 'Hours at Limit', ...NUMBER },
  { title: 'Seat Hours', share: 1.5, ...NUMBER },
  { title: 'Real Denials', ...NUMBER },
]
const MAX_METERS = 30

/** The report on paper: the same numbers as on screen. */
export function describeLicenseUse(
  features: readonly FeatureUse[],
  header: ReportHeader,
): Pick<PdfDescription, 'title' | 'isLandscape' | 'blocks'> {
  const blocks: PdfBlock[] = [
    {
      kind: 'facts',
      facts: [
        ...reportFacts(header),
        ['Features', count(features.length)],
        [
          'Denials (no seat within a minute)',
          count(features.reduce((sum, { realDenials }) => sum + (realDenials ?? 0), 0)),
        ],
      ],
    },
    {
      kind: 'paragraph',
      text: 'Peak is the most seats in use at the same time. A real denial is a refusal for lack of seats that was no retry and after which the user got no seat within a minute. Never Used are seats above the peak. Where nothing is said, nothing was reported.',
    },
    ...meters(features),
    {
      kind: 'table',
      title: 'Features',
      columns: COLUMNS,
      rows: features.map((row) => ({
        cells: [
          row.serverName,
          row.feature,
          count(row.seats),
          count(row.inUse),
          count(row.peak),
          count(row.neverUsed),
          hours(row.hoursAtLimit),
          hours(row.seatHours),
          count(row.realDenials),
        ],
      })),
    },
  ]
  return { title: 'Use of license servers', isLandscape: true, blocks }
}

function meters(features: readonly FeatureUse[]): PdfBlock[] {
  const known = features
    .flatMap(({ peak, seats, ...row }) => (seats && peak ? [{ ...row, seats, peak }] : []))
    .slice(0, MAX_METERS)
  if (!known.length) return []
  return [
    {
      kind: 'meters',
      title: 'Peak use of the seats',
      meters: known.map(({ feature, serverName, seats, peak }) => ({
        label: `${feature} on ${serverName}`,
        value: peak,
        limit: seats,
        text: `${count(peak)} of ${count(seats)} ${seats === 1 ? 'seat' : 'seats'}`,
      })),
    },
  ]
}

const hours = (value: number | null) => (value === null ? '' : formatDecimal(String(value), 2))
const count = (value: number | null) => (value === null ? '' : formatDecimal(String(value), 0))
