import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasCode } from '#web/lib/api/api-error.ts'
import { NoPermissions } from '#web/lib/sign-in/no-permissions.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props<Data, Key extends readonly unknown[]> = {
  query: UseQueryOptions<Data, Error, Data, Key>
  children(data: NoInfer<Data>): ReactNode
}

/** The data of a query; until then a spinner, or the error. */
export function Loaded<Data, Key extends readonly unknown[]>({ query, children }: Props<Data, Key>) {
  const { data, error, refetch } = useQuery(query)
  if (hasCode(error, 'NOT_ALLOWED')) return <NoPermissions />
  if (error) return <FailureNotice failure={error} onRetry={refetch} />
  return data === undefined ? <Spinner /> : children(data)
}
