import { queryOptions } from '@tanstack/react-query'
import { getRunOutForecast, readForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { call } from '#web/lib/api-client.ts'

/** When the elastic balances of an account are used up. */
export function runOutQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['run-out-forecast', customerNumber],
    queryFn: async ({ signal }) => readForecast(await call(getRunOutForecast, { body: { customerNumber }, signal })),
    refetchOnWindowFocus: false,
  })
}
