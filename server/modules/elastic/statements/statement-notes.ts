import type { Kysely } from 'kysely'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import { correctionsNote, type StatedCorrections } from '#domain/elastic/statements/stated-corrections.ts'
import type { DB } from '#server/db/schema.ts'
import { loadRunOutForecast } from '#server/modules/elastic/balances/run-out.ts'
import { describeForecast } from '#server/modules/elastic/balances/run-out-pdf.ts'
import type { StatementHeader } from '#server/modules/elastic/statements/statement-pdf.ts'
import { listStatedCorrections } from '#server/modules/elastic/usage/corrections.queries.ts'
import type { PdfBlock } from '#server/pdf/pdf-description.ts'

/** What is stated: an account over a period, in the zone of the account, or one entitlement of it. */
type Stated = DayRange & {
  readonly customerNumber: string
  readonly timeZone: string
  /** Empty: all entitlements. */
  readonly activationId?: string
}

export function loadCorrections(db: Kysely<DB>, stated: Stated): Promise<StatedCorrections[]> {
  const { customerNumber, activationId = '', timeZone, from, to } = stated
  return listStatedCorrections(db, { customerNumber, activationId }, instantsOf({ from, to }, timeZone))
}

/** What a statement has on paper after its tables: what corrections took back, and when the balances are used up. */
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
