import { queryOptions } from '@tanstack/react-query'
import { exportActiveEntitlements, exportInactiveEntitlements } from '#contract/entitlements/export-entitlements.ts'
import {
  countActiveEntitlements,
  countInactiveEntitlements,
  distinctEntitlements,
  fetchActiveEntitlements,
  fetchInactiveEntitlements,
} from '#contract/entitlements/fetch-entitlements.ts'
import { fulfillmentHosts } from '#contract/entitlements/fulfillments.ts'
import { MAX_DISTINCT } from '#contract/kit/list.ts'
import { ENTITLEMENT_FIELDS, type EntitlementField } from '#domain/entitlements/entitlement-fields.ts'
import type { LeaseEntitlement } from '#domain/entitlements/lease-row.ts'
import { ask, call, fetchFile } from '#web/lib/api-client.ts'
import type { ListSource } from '#web/ui/grid/list/list-source.ts'
import type { ListRequest } from '#web/ui/grid/list/list-state.ts'

export type Activity = 'active' | 'inactive'

const CALLS = {
  active: { fetch: fetchActiveEntitlements, count: countActiveEntitlements, csv: exportActiveEntitlements },
  inactive: { fetch: fetchInactiveEntitlements, count: countInactiveEntitlements, csv: exportInactiveEntitlements },
} as const

const ATTRIBUTES = [
  'ActivationId',
  'ProductName',
  'LicenseModel',
  'LineItemQuantity',
  'StartDate',
  'EndDate',
  'VersionDate',
  'IsActivationPermanent',
  'CA[ENT|ansystype]',
] as const satisfies readonly (EntitlementField & keyof LeaseEntitlement)[]

/** Everything but elastic units and spending accounts. */
const scopeOf = (customerNumber: string) => ({ customerNumber, type: 'SSL', state: 'Deployed' }) as const

type OnRows = (rows: readonly LeaseEntitlement[]) => void

/** One of the two tables; `onRows` hears of rows as soon as they arrive, those of the next pages among them. */
export function leaseSource(customerNumber: string, activity: Activity, onRows: OnRows): ListSource<LeaseEntitlement> {
  const scope = scopeOf(customerNumber)
  const calls = CALLS[activity]
  return {
    key: ['leases', customerNumber, activity],
    fields: ENTITLEMENT_FIELDS,
    async fetchPage({ filter, sorting, from, limit, signal }) {
      const body = { ...scope, filter, sorting: [...sorting], attributes: [...ATTRIBUTES], limit, ...from }
      const { data, token } = await ask(calls.fetch, { body, signal })
      const rows = data as LeaseEntitlement[]
      onRows(rows)
      return { rows, token }
    },
    count: ({ filter, signal }) => call(calls.count, { body: { ...scope, filter }, signal }),
    async distinct({ field, filter, signal }) {
      const body = { ...scope, filter, key: field, limit: MAX_DISTINCT }
      const values = await call(distinctEntitlements, { body, signal })
      return values.map((value) => (value === null ? null : String(value)))
    },
  }
}

/** Everything that matches, whatever page is shown. */
export function fetchLeasesCsv(
  customerNumber: string,
  activity: Activity,
  { filter, sorting }: Pick<ListRequest, 'filter' | 'sorting'>,
): Promise<Blob> {
  const body = { ...scopeOf(customerNumber), filter, sorting: [...sorting] }
  return fetchFile(CALLS[activity].csv, { body })
}

export function hostsQuery(customerNumber: string, activationId: string) {
  return queryOptions({
    queryKey: ['fulfillment-hosts', customerNumber, activationId],
    queryFn: ({ signal }) => call(fulfillmentHosts, { body: { customerNumber, activationId }, signal }),
    // Seats move on other screens: what the dialog shows is asked for when it opens.
    staleTime: 0,
  })
}
