import { queryOptions } from '@tanstack/react-query'
import { readChargeback } from '#contract/elastic/statements/chargeback.ts'
import { readStatement, type StatementTable } from '#contract/elastic/statements/statements.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { ChargebackDimension } from '#domain/elastic/statements/chargeback.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'

export function statementQuery(customerNumber: string, { from, to }: DayRange) {
  return queryOptions({
    queryKey: ['statement', customerNumber, from, to],
    queryFn: async ({ signal }) => {
      const wire = await call('statements', { body: { customerNumber, from, to }, signal })
      return { ...readStatement(wire), header: wire.Customer, corrections: wire.Corrections ?? [] }
    },
  })
}

/** What a table shows, and in which order. */
export type Shown = { filter: FilterInput; sorting: SortInput[] }

export function fetchStatementPdf(
  customerNumber: string,
  { from, to }: DayRange,
  shown: Record<StatementTable, Shown>,
): Promise<Blob> {
  return fetchFile('getPdf', { body: { customerNumber, from, to, ...shown } })
}

export function fetchStatementCsv(
  customerNumber: string,
  { from, to }: DayRange,
  table: StatementTable,
  question: Shown,
): Promise<Blob> {
  return fetchFile('statements/export', { body: { customerNumber, from, to, table, ...question } })
}

export function emailStatementFiles(
  customerNumber: string,
  { from, to }: DayRange,
  { recipients, ...shown }: Record<StatementTable, Shown> & { recipients: string[] },
  idempotencyKey: string,
) {
  return call('statements/email', { body: { customerNumber, from, to, ...shown, recipients }, idempotencyKey })
}

export function chargebackQuery(customerNumber: string, { from, to }: DayRange, by: ChargebackDimension) {
  return queryOptions({
    queryKey: ['chargeback', customerNumber, from, to, by],
    queryFn: async ({ signal }) =>
      readChargeback(await call('statements/chargeback', { body: { customerNumber, from, to, by }, signal })),
  })
}
