import type { RunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { FORECAST_METHOD, FORECAST_WINDOWS, runOutText } from '#domain/elastic/balances/run-out.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
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
export function describeForecast({ asOf, balances }: RunOutForecast): PdfBlock[] {
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
