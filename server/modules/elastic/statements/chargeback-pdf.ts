import type { ChargebackTableRow } from '#contract/elastic/statements/chargeback.ts'
import {
  CHARGEBACK_LABELS,
  CHARGEBACK_NOUNS,
  type ChargebackDimension,
  type ChargebackTotal,
} from '#domain/elastic/statements/chargeback.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { describePie } from '#server/modules/elastic/statements/statement-pdf.ts'
import type { Described } from '#server/pdf/make-document.ts'
import type { PdfRow } from '#server/pdf/pdf-description.ts'
import { type ReportHeader, reportFacts } from '#server/pdf/report-facts.ts'

type Shown = { readonly rows: readonly ChargebackTableRow[]; readonly totals: readonly ChargebackTotal[] }

/** A chargeback on paper: the rows that the screen shows, what they add up to, and a pie for each currency. */
export function describeChargeback(
  by: ChargebackDimension,
  { rows, totals }: Shown,
  header: ReportHeader,
  facts: readonly (readonly [string, string])[],
): Described {
  const nouns = CHARGEBACK_NOUNS[by]
  const [noun] = nouns
  return {
    title: `Chargeback by ${noun}`,
    isLandscape: true,
    footnote: `Account ${header.customerNumber} · ${header.from} to ${header.to}`,
    blocks: [
      { kind: 'facts', facts: [...reportFacts(header), ...facts] },
      {
        kind: 'table',
        title: `Usage by ${noun}`,
        columns: [
          { title: CHARGEBACK_LABELS[by], share: 1 },
          { title: 'Used', align: 'right' },
          { title: 'Share', align: 'right' },
          { title: 'Hours', align: 'right' },
          { title: 'Transactions', align: 'right' },
          { title: 'Currency' },
        ],
        rows: [
          ...rows.map(({ name, exact: { used, share, hours, transactions, currency } }) => ({
            cells: [
              name,
              formatDecimal(used, 2),
              share === null ? '' : `${share} %`,
              formatDecimal(hours, 2),
              formatDecimal(transactions, 0),
              currency,
            ],
          })),
          ...totals.map(
            ({ used, hours, transactions, currency }): PdfRow => ({
              role: 'total',
              cells: [
                'Total',
                formatDecimal(used, 2),
                '',
                formatDecimal(hours, 2),
                formatDecimal(transactions, 0),
                currency,
              ],
            }),
          ),
        ],
      },
      ...totals.flatMap(({ currency }) =>
        describePie(
          `By ${noun}, ${currency}`,
          rows
            .filter((row) => row.currency === currency)
            .map(({ name, exact }) => ({ label: name, value: exact.used })),
          nouns,
        ),
      ),
    ],
  }
}
