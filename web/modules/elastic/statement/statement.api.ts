import { queryOptions } from '@tanstack/react-query'
import { getStatement, getStatementPdf, readStatement } from '#contract/elastic/statements.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { call, fetchFile } from '#web/lib/api-client.ts'

export function statementQuery(customerNumber: string, { from, to }: DayRange) {
  return queryOptions({
    queryKey: ['statement', customerNumber, from, to],
    queryFn: async ({ signal }) => {
      const wire = await call(getStatement, { body: { customerNumber, from, to }, signal })
      return { ...readStatement(wire), header: wire.Customer }
    },
  })
}

export function fetchStatementPdf(customerNumber: string, { from, to }: DayRange): Promise<Blob> {
  return fetchFile(getStatementPdf, { body: { customerNumber, from, to } })
}
