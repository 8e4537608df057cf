import { Type } from 'typebox'
import { Basis, HostPlan, Kept, planHost, Reason, savedHost, Target } from '#contract/activations/plans/plan-fields.ts'
import { SeatLines } from '#contract/activations/seats/change-seats.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { planWords } from '#domain/activations/audit-words.ts'

/*
 * Each of these is one plan: started once, stored with its steps, and resumed by the server after every interruption.
 * The answer is the plan at its beginning; ask `fulfillments/plan` how far it is.
 */
const write = { kind: 'account', action: 'activations.write', customerNumberIn: 'body' } as const

export const rehostServer = operation({
  name: 'fulfillments/rehost',
  summary:
    'Moves the seats of a license server, of all customers that share it and that the caller manages, to another one that is new or holds no seats',
  access: write,
  token: 'activations',
  writes: true,
  audit: planWords('rehost', 'rehost a license server'),
  refusals: [
    'REHOSTING_OFF',
    'HOST_BUSY',
    'HOST_NOT_ACTIVE',
    'HOST_ACTIVE',
    'HOST_IN_USE',
    'SHARED_ELSEWHERE',
    'MAINTENANCE_EXPIRED',
    'NOTHING_TO_DO',
    'NOT_IN_CATALOG',
  ],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ customerNumber: CustomerNumber, ...planHost, target: Target, kept: Kept, basis: Basis }),
  data: HostPlan,
})

export const deactivateServer = operation({
  name: 'fulfillments/deactivate',
  summary: 'Returns all seats of a license server, of all customers that share it and that the caller manages',
  access: write,
  token: 'activations',
  writes: true,
  audit: planWords('deactivate', 'deactivate a license server'),
  refusals: ['HOST_BUSY', 'HOST_NOT_ACTIVE', 'MAINTENANCE_EXPIRED', 'NOTHING_TO_DO'],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ customerNumber: CustomerNumber, ...planHost, kept: Kept, basis: Basis }),
  data: HostPlan,
})

export const forceReturn = operation({
  name: 'fulfillments/forcereturn',
  summary: 'Takes back all seats that the account has on a license server that is lost, expired maintenance included',
  access: { kind: 'account', action: 'activations.force-return', customerNumberIn: 'body' },
  token: 'activations',
  writes: true,
  audit: planWords('take back all seats of', 'take back the seats of a lost license server'),
  refusals: ['HOST_BUSY', 'HOST_NOT_ACTIVE', 'NOTHING_TO_DO'],
  body: requestFields({ customerNumber: CustomerNumber, ...planHost, reason: Reason, basis: Basis }),
  data: HostPlan,
})

export const renewEntitlements = operation({
  name: 'fulfillments/renew',
  summary:
    'Replaces entitlements that end within 90 days with available ones of the same product, on one license server or on all of the account',
  access: write,
  token: 'activations',
  writes: true,
  audit: planWords('renew the entitlements of', 'renew entitlements'),
  refusals: ['HOST_BUSY', 'NOTHING_TO_DO', 'NOT_IN_CATALOG'],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    hostId: Type.Optional(planHost.hostId),
    hostIdType: Type.Optional(planHost.hostIdType),
    kept: Kept,
    basis: Basis,
  }),
  data: HostPlan,
})

export const regenerateFiles = operation({
  name: 'fulfillments/regenerate',
  summary: 'Generates new license files for all license servers of the account whose file is out of date',
  access: write,
  token: 'activations',
  writes: true,
  audit: planWords('generate outdated license files again', 'generate license files again'),
  refusals: ['HOST_BUSY', 'NOTHING_TO_DO', 'NOT_IN_CATALOG'],
  body: requestFields({ customerNumber: CustomerNumber, basis: Basis }),
  data: HostPlan,
})

export const saveActivations = operation({
  name: 'fulfillments/save',
  summary:
    'Saves what a license server is to hold: returns and activates seats, sets who shares it, generates the license files and sends them by email',
  access: { kind: 'accounts', action: 'activations.write', customerNumbersIn: 'customers[].customerNumber' },
  token: 'activations',
  writes: true,
  audit: planWords('save the seats of', 'save the seats of a license server'),
  refusals: [
    'HOST_BUSY',
    'HOST_IN_USE',
    'SHARED_ELSEWHERE',
    'NO_SUCH_FULFILLMENT',
    'NOT_HELD',
    'NO_SUCH_ACTIVATION',
    'NOT_ACTIVATABLE',
    'ENTITLEMENT_EXPIRED',
    'MAINTENANCE_EXPIRED',
    'SEAT_GONE',
    'NOT_IN_CATALOG',
  ],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    ...savedHost,
    email: Type.Optional(
      Type.Boolean({
        description:
          'Sends the file to the caller, with a copy to the support address of the account. Otherwise it goes to that address alone, if there is one',
      }),
    ),
  }),
  // A refusal of single elements answers their lines instead of the plan.
  data: Type.Unsafe<HostPlan>(Type.Union([HostPlan, SeatLines])),
})
