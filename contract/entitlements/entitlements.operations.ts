import * as entitlementList from '#contract/entitlements/entitlement-list.ts'
import * as fulfillments from '#contract/entitlements/fulfillments.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const entitlementsOperations = operationsOf(entitlementList, fulfillments)
