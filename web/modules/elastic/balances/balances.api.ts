import { queryOptions } from '@tanstack/react-query'
import { readForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'

/** All of them at once: the screen splits, filters and sorts what it has. */
export const elasticQuery = (customerNumber: string) =>
  queryOptions({ ...query('getEntitlements', { body: { customerNumber } }), refetchOnWindowFocus: false })

export function monthlyDrawQuery(customerNumber: string, activationId: string) {
  return queryOptions({
    queryKey: ['monthly-draw', customerNumber, activationId],
    queryFn: async ({ signal }) => {
      const draws = await call('getEntitlements/draw', {
        body: { customerNumber, activationId: [activationId] },
        signal,
      })
      return draws[activationId] ?? []
    },
  })
}

/** When the elastic balances of an account are used up. */
export function runOutQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['run-out-forecast', customerNumber],
    queryFn: async ({ signal }) =>
      readForecast(await call('getEntitlements/forecast', { body: { customerNumber }, signal })),
    refetchOnWindowFocus: false,
  })
}
