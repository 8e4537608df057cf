import { queryOptions } from '@tanstack/react-query'
import { query } from '#web/lib/api/api-query.ts'

export const accountHomeQuery = (customerNumber: string) =>
  queryOptions({ ...query('home', { body: { customerNumber } }), staleTime: 0 })

export const accountsHomeQuery = query('home/accounts')
