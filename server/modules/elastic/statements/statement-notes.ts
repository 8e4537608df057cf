import type { Kysely } from 'kysely'
import type { RunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { FORECAST_METHOD, FORECAST_WINDOWS, runOutText } from '#domain/elastic/balances/run-out.ts'
import { correctionsNote, type StatedCorrections } from '#domain/elastic/statements/stated-corrections.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { loadRunOutForecast } from '#server/modules/elastic/balances/run-out.ts'
import type { StatementHeader } from '#server/modules/elastic/statements/statement-pdf.ts'
import { listStatedCorrections } from '#server/modules/elastic/usage/corrections.queries.ts'
import type { PdfBlock, PdfColumn } from '#server/pdf/pdf-description.ts'

const COLUMNS: readonly PdfColumn[] = [
  { title: 'Purchase Order', share: 1 },
  { title: 'Activation ID' },
  { title: 'End Date' },
  { title: 'Balance', align: 'right' },
  { title: 'Currency' },
  ...FORECAST_WINDOWS.map((window) => ({ title: `By last ${window} days` })),
]

/** When the balances are used up, beneath a statement. Nothing for an account whose terms are all over. */
export function describeForecast({ asOf, balances }: Pick<RunOutForecast, 'asOf' | 'balances'>): PdfBlock[] {
  if (balances.length === 0) return []
  return [
    {
      kind: 'table',
      title: `Run-out forecast as of ${asOf}: the day on which each balance is used up`,
      columns: COLUMNS,
      rows: balances.map(({ purchaseOrder, activationId, endDate, left, currency, windows }) => ({
        cells: [
          purchaseOrder,
          activationId,
          endDate ?? '',
          formatDecimal(left, 2),
          currency,
          ...windows.map(({ runOut }) => runOutText(runOut)),
        ],
      })),
    },
    { kind: 'paragraph', text: FORECAST_METHOD },
  ]
}

/** What is stated: an account over a period, in the zone of the account, or one entitlement of it. */
type Stated = DayRange & {
  readonly customerNumber: string
  readonly timeZone: string
  /** Empty: all entitlements. */
  readonly activationId?: string
}

export function loadCorrections(db: Kysely<DB>, stated: Stated): Promise<StatedCorrections[]> {
  const { customerNumber, activationId = '', timeZone, from, to } = stated
  return listStatedCorrections(db, { customerNumber, activationId }, { from, to }, timeZone)
}

/** Notes after the tables of a statement on paper: what corrections took back, and when the balances are used up. */
export async function loadStatementNotes(
  db: Kysely<DB>,
  stated: Stated & Pick<StatementHeader, 'reportDate'>,
): Promise<PdfBlock[]> {
  const { customerNumber, activationId = '', reportDate } = stated
  const note = correctionsNote(await loadCorrections(db, stated))
  const { asOf, balances } = await loadRunOutForecast(db, customerNumber, reportDate)
  const own = activationId === '' ? balances : balances.filter((balance) => balance.activationId === activationId)
  return [...(note ? [{ kind: 'paragraph', text: note } as const] : []), ...describeForecast({ asOf, balances: own })]
}
