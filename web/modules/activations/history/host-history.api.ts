import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { HISTORY_BATCH, HISTORY_FIELDS, hostHistoryList } from '#contract/activations/history/history.ts'
import type { WireRow } from '#contract/kit/list.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { ACTIVATION_ERRORS } from '#domain/activations/seats/activation-error.ts'
import { type ActivationRow, activationRow, seatsOf } from '#domain/activations/seats/activation-row.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { ask, call, type Data, fetchFile } from '#web/lib/api/api-client.ts'
import { inBatches } from '#web/lib/api/in-batches.ts'
import { hostFields } from '#web/modules/activations/activations.api.ts'
import { ActivationError } from '#web/modules/activations/seats/activation-error.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { Question } from '#web/table/list/use-request.ts'

export type TableState = 'Active' | 'Inactive'
export type HostRow = WireRow<typeof hostHistoryList.fields>
export type HostHistory = Data<'fulfillments/history'>[number]
export type TimelineEvent = Data<'fulfillments/timeline'>[number]

/** The queries that a change of seats makes out of date. */
export const HISTORY_KEY = 'host-history'

/**
 * A table requests hosts by one filter, in which a single criterion with this name carries the filter on history
 * entries. The server decides which entry is shown for a host, so loaded rows can never answer another history filter.
 */
const HISTORY = 'history'
const FIELDS: Fields = { ...hostHistoryList.fields, [HISTORY]: { type: 'text' } }

export type HistoryFilter = FilterInput

/** The criterion that carries the filter on history entries. */
export const historyCriterion = (filter: HistoryFilter) =>
  ({ name: HISTORY, method: 'EQUALS', value: JSON.stringify(filter), casefold: false }) as const

/** Every entry of the history. */
export const WHOLE_HISTORY = JSON.stringify({ condition: 'ALL', criteria: [] } satisfies HistoryFilter)

/** The two filters of which the table made one. */
export function splitFilter({ condition, criteria }: FilterInput): { filter: FilterInput; history: string } {
  const isHistory = (one: FilterInput['criteria'][number]) => 'name' in one && one.name === HISTORY
  const [found] = criteria.filter(isHistory)
  const history = found && 'value' in found ? String(found.value) : WHOLE_HISTORY
  return { filter: { condition, criteria: criteria.filter((one) => !isHistory(one)) }, history }
}

export const isHistoryField = (name: string): boolean => Object.hasOwn(HISTORY_FIELDS, name)

export function hostSource(customerNumber: string, state: TableState): ListSource<HostRow> {
  const within = (history: string) =>
    sourceOf(hostHistoryList, { customerNumber, state, history: JSON.parse(history) as FilterInput }, { key: [] })
  return {
    key: [HISTORY_KEY, customerNumber, state],
    fields: FIELDS,
    defaultSort: hostHistoryList.defaultSort,
    async fetchPage({ filter: both, ...request }) {
      const { filter, history } = splitFilter(both)
      const page = await within(history).fetchPage({ ...request, filter })
      return { ...page, rows: page.rows.map((row) => ({ ...row, [HISTORY]: history })) }
    },
    count({ filter: both, signal }) {
      const { filter, history } = splitFilter(both)
      return within(history).count({ filter, signal })
    },
    distinct({ filter: both, ...request }) {
      const { filter, history } = splitFilter(both)
      return within(history).distinct({ ...request, filter })
    },
  }
}

export function fetchServersCsv(
  customerNumber: string,
  state: TableState,
  { filter: both, sorting }: Question,
): Promise<Blob> {
  const { filter, history } = splitFilter(both)
  const body = { customerNumber, state, filter, history: JSON.parse(history) as FilterInput, sorting: [...sorting] }
  return fetchFile('fulfillments/servers/export', { body })
}

type Asked = { readonly customerNumber: string; readonly filter: string; readonly host: HostIdentity }

const AT_ONCE = 10

/** One call for up to five hosts of the same account and filter. */
const historyOf = inBatches<Asked, ReadonlyMap<string, HostHistory>>(
  HISTORY_BATCH,
  async (requests) => {
    const found = new Map<string, HostHistory>()
    const groups = Map.groupBy(requests, ({ customerNumber, filter }) => JSON.stringify([customerNumber, filter]))
    for (const [first, ...others] of groups.values()) {
      if (!first) continue
      const { customerNumber, filter } = first
      const hosts = [first, ...others].map(({ host }) => hostFields(host))
      const body = { customerNumber, hosts, filter: JSON.parse(filter) as FilterInput }
      for (const one of await call('fulfillments/history', { body })) found.set(one.hostId, one)
    }
    return found
  },
  AT_ONCE,
)

export function historyQuery(customerNumber: string, host: HostIdentity, filter: string) {
  return queryOptions({
    queryKey: [HISTORY_KEY, customerNumber, 'entries', host.serverId, filter],
    queryFn: async (): Promise<HostHistory> => {
      try {
        const found = (await historyOf({ customerNumber, filter, host })).get(host.serverId)
        return found ?? { ...hostFields(host), groups: [], isComplete: true }
      } catch (error) {
        throw new ActivationError(ACTIVATION_ERRORS.history, error)
      }
    },
  })
}

export function timelineQuery(customerNumber: string, host: HostIdentity, limit: number) {
  return queryOptions({
    queryKey: [HISTORY_KEY, customerNumber, 'timeline', host.serverId, limit],
    queryFn: async ({ signal }) => {
      const body = { customerNumber, ...hostFields(host), limit }
      const { data, hasEarlier = false } = await ask('fulfillments/timeline', { body, signal })
      return { events: data, hasEarlier }
    },
    placeholderData: keepPreviousData,
  })
}

export function differenceQuery(customerNumber: string, before: string, after: string) {
  return queryOptions({
    queryKey: [HISTORY_KEY, customerNumber, 'difference', before, after],
    queryFn: ({ signal }) => call('fulfillments/files/difference', { body: { customerNumber, before, after }, signal }),
    placeholderData: keepPreviousData,
    enabled: before !== '' && after !== '',
  })
}

export type CurrentActivation = ActivationRow & { readonly customerNumber: string; readonly count: number }

/** What customers have on a host now, expired licenses included. */
export function currentActivationsQuery(customerNumber: string, serverId: string, today: string) {
  return queryOptions({
    queryKey: [HISTORY_KEY, customerNumber, 'current', serverId],
    queryFn: async ({ signal }) => {
      const rows = await call('fulfillments/allentitlements', {
        body: { customerNumber, serverId, activeOnly: true },
        signal,
      })
      return rows.map(
        (raw): CurrentActivation => ({
          ...activationRow(raw, today),
          customerNumber: raw.customerNumber,
          count: seatsOf(raw.AnsysFulfillments),
        }),
      )
    },
    staleTime: 0,
  })
}

export async function fetchLastFile(customerNumber: string, host: HostIdentity) {
  const { serverName, serverId, serverIdType } = host
  const body = { customerNumber, serverName, serverId, serverIdType }
  const { licenseText = '', licenseFileName = '' } = await ask('fulfillments/download', { body })
  return { text: licenseText, name: licenseFileName }
}
