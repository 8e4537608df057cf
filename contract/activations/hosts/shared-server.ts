import { Type } from 'typebox'
import { hostFields } from '#contract/activations/hosts/host-fields.ts'
import { lineResult } from '#contract/kit/answer.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { groupText } from '#domain/activations/audit-words.ts'
import { field, text } from '#domain/audit/words.ts'

const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const
const write = { kind: 'account', action: 'activations.write', customerNumberIn: 'body' } as const
const host = { customerNumber: CustomerNumber, ...hostFields }

const Members = Type.Array(
  Type.Object({
    customerNumber: Type.String(),
    customerName: Type.Union([Type.String(), Type.Null()], {
      description: 'Null for a customer that the caller does not see',
    }),
    isManaged: Type.Boolean({ description: 'The caller may change the activations of this customer' }),
    isApproved: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether export compliance approves; null for a customer that the caller does not see',
    }),
  }),
)

/** The customers that left the group. */
const Removed = Type.Array(lineResult({ customerNumber: Type.String() }))

export const serverCustomers = operation({
  name: 'fulfillments/customers',
  summary: 'Customers that share a license server of the account; none if it is not shared',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields(host),
  data: Members,
})

export const overrideCustomers = operation({
  name: 'fulfillments/override',
  summary:
    'Takes the customers that the caller does not manage out of the group; their seats stay, and their administrators get an email',
  access: write,
  token: 'activations',
  writes: true,
  audit: { what: 'take customers out of a shared license server', done: groupText },
  body: requestFields(host),
  data: Removed,
})

export const setSharedServer = operation({
  name: 'sharedserver',
  summary:
    'Sets which customers share a license server; each one must be writable by the caller or be a member already',
  access: write,
  token: 'activations',
  writes: true,
  audit: { what: 'change who shares a license server', done: groupText },
  refusals: ['HOST_BUSY', 'SHARED_ELSEWHERE', 'UNMANAGED_MEMBERS'],
  body: requestFields({ ...host, group: Type.Array(CustomerNumber, { minItems: 1, maxItems: 100 }) }),
  data: Members,
})

export const deactivateSharedServer = operation({
  name: 'sharedserver/deactivate',
  summary: 'Takes the customers that the caller manages out of the group; others keep sharing',
  access: write,
  token: 'activations',
  writes: true,
  audit: { what: 'leave a shared license server', done: groupText },
  refusals: ['HOST_BUSY'],
  body: requestFields(host),
  data: Removed,
})

export const removeSharedServer = operation({
  name: 'sharedserver/remove',
  summary:
    'Deletes an inactive license server of the account: it is listed no more, its history and its files are kept',
  access: write,
  token: 'activations',
  writes: true,
  audit: {
    what: 'delete a license server',
    done: ({ target, before, after }) =>
      Array.isArray(after)
        ? groupText({ target, before, after })
        : `Deleted the license server ${text(field(before, 'serverName')) || target}`,
  },
  refusals: ['HOST_ACTIVE', 'HOST_BUSY', 'HOST_NOT_INACTIVE'],
  body: requestFields(host),
  data: Type.Null(),
})
