import { queryOptions } from '@tanstack/react-query'
import {
  activeEntitlementList,
  type EntitlementField,
  entitlementList,
  inactiveEntitlementList,
} from '#contract/entitlements/entitlement-list.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { Question } from '#web/table/list/use-request.ts'
import type { Activity } from '#web/table/use-activity-table.ts'

const LISTS = { active: activeEntitlementList, inactive: inactiveEntitlementList } as const

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

/** One of the two tables; `onRows` gets rows as soon as they arrive, those of the next pages among them. */
export const leaseSource = (customerNumber: string, activity: Activity, onRows: OnRows): ListSource<LeaseEntitlement> =>
  sourceOf(LISTS[activity], scopeOf(customerNumber), {
    key: ['leases', customerNumber, activity],
    attributes: ATTRIBUTES,
    valuesFrom: entitlementList,
    onRows,
  })

export function fetchLeasesCsv(
  customerNumber: string,
  activity: Activity,
  { filter, sorting }: Question,
): Promise<Blob> {
  return fetchFile(LISTS[activity].exportCsv.name, {
    body: { ...scopeOf(customerNumber), filter, sorting: [...sorting] },
  })
}

export const hostsQuery = (customerNumber: string, activationId: string) =>
  queryOptions({ ...query('fulfillments/hosts', { body: { customerNumber, activationId } }), staleTime: 0 })
