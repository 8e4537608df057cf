import { Type } from 'typebox'
import { Entitlement, entitlementAccess, entitlementScope } from '#contract/entitlements/entitlement.ts'
import { countBody, distinctBody, listBody, token } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'

const reading = {
  method: 'POST',
  module: 'entitlements',
  access: entitlementAccess,
  writes: false,
} as const

export const fetchEntitlements = operation({
  ...reading,
  name: 'fetchEntitlements',
  path: '/api/fetchEntitlements',
  summary: 'Entitlements of an account',
  body: listBody(entitlementScope),
  data: Type.Array(Entitlement),
  beside: token,
})

export const countEntitlements = operation({
  ...reading,
  name: 'fetchEntitlements/count',
  path: '/api/fetchEntitlements/count',
  summary: 'How many entitlements match',
  body: countBody(entitlementScope),
  data: Type.Integer(),
})

export const distinctEntitlements = operation({
  ...reading,
  name: 'fetchEntitlements/distinct',
  path: '/api/fetchEntitlements/distinct',
  summary: 'Distinct values of one field (ActivationId unless key says otherwise)',
  body: distinctBody(entitlementScope),
  data: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  beside: token,
})

export const fetchActiveEntitlements = operation({
  ...reading,
  name: 'fetchEntitlements/active',
  path: '/api/fetchEntitlements/active',
  summary: 'Entitlements that can be used today, a day of the account',
  body: listBody(entitlementScope),
  data: Type.Array(Entitlement),
  beside: token,
})

export const fetchInactiveEntitlements = operation({
  ...reading,
  name: 'fetchEntitlements/inactive',
  path: '/api/fetchEntitlements/inactive',
  summary: 'Entitlements that are over, used up or have not started',
  body: listBody(entitlementScope),
  data: Type.Array(Entitlement),
  beside: token,
})

export const countActiveEntitlements = operation({
  ...reading,
  name: 'fetchEntitlementsActive/count',
  path: '/api/fetchEntitlementsActive/count',
  summary: 'How many active entitlements match',
  body: countBody(entitlementScope),
  data: Type.Integer(),
})

export const countInactiveEntitlements = operation({
  ...reading,
  name: 'fetchEntitlementsInactive/count',
  path: '/api/fetchEntitlementsInactive/count',
  summary: 'How many inactive entitlements match',
  body: countBody(entitlementScope),
  data: Type.Integer(),
})
