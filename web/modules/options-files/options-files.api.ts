import { queryOptions } from '@tanstack/react-query'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'

/** How calls name an options file. */
export type FileName = { readonly customerNumber: string; readonly serverId: string; readonly daemon: string }

export function optionsQuery(customerNumber: string, serverId: string, daemon: string | undefined) {
  const body = { customerNumber, serverId, ...(daemon === undefined ? {} : { daemon }) }
  return queryOptions({
    queryKey: ['license-servers/options', body],
    queryFn: ({ signal }) => call('license-servers/options', { body, signal }),
    ...FOR_A_FORM,
  })
}

export const versionQuery = (file: FileName, version: number) =>
  query('license-servers/options/version', { body: { ...file, version } })

export const whatIfQuery = (file: FileName, text: string) =>
  query('license-servers/options/what-if', { body: { ...file, text } })
