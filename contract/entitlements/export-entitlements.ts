import { Type } from 'typebox'
import { entitlementAccess, entitlementScope } from '#contract/entitlements/entitlement.ts'
import { exportBody } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'

const csv = { method: 'POST', module: 'entitlements', writes: false, data: Type.String(), media: 'text/csv' } as const

/** Both take the filter and sorting of the list, and write the columns of the screen. */
const leases = {
  ...csv,
  access: entitlementAccess,
  body: exportBody(entitlementScope),
} as const

export const exportActiveEntitlements = operation({
  ...leases,
  name: 'fetchEntitlements/active/export',
  path: '/api/fetchEntitlements/active/export',
  summary: 'Active leases and perpetuals that match, as a CSV file',
})

export const exportInactiveEntitlements = operation({
  ...leases,
  name: 'fetchEntitlements/inactive/export',
  path: '/api/fetchEntitlements/inactive/export',
  summary: 'Inactive leases and perpetuals that match, as a CSV file',
})

export const exportElasticEntitlements = operation({
  ...csv,
  name: 'getEntitlements/export',
  path: '/api/getEntitlements/export',
  summary: 'Elastic entitlements that match, as a CSV file; filter and sorting name the columns of the screen',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  body: exportBody({
    customerNumber: CustomerNumber,
    active: Type.Boolean({ description: 'Which of the two tables' }),
  }),
})
