import { type Static, Type } from 'typebox'
import { orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import { declareList } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { PlainLines } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { plain } from '#domain/audit/words.ts'
import { askedWords, decidedWords } from '#domain/requests/audit-words.ts'
import { ASKERS, MAX_DAYS, MAX_QUANTITY, MAX_REASON, REQUEST_KINDS, REQUEST_STATES } from '#domain/requests/request.ts'

const on = <const A extends 'requests.read' | 'requests.ask' | 'requests.decide' | 'requests.rules'>(action: A) =>
  ({ kind: 'account', action, customerNumberIn: 'body' }) as const

const Kind = Type.Enum([...REQUEST_KINDS])
const Item = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The activation id of the web license or of the seats, or the part number to order',
})
const Target = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'The email of the web user, the id of the license server, or the id of the contract to order from',
})
const Quantity = Type.Integer({ minimum: 1, maximum: MAX_QUANTITY, description: 'Seats; 1 for a web license' })
const Id = Type.String({ format: 'uuid' })
const Reason = PlainLines(MAX_REASON, { description: 'Why it is needed' })

export const requestList = declareList({
  name: 'requests',
  rows: 'requests of an account: all of them for those who decide, otherwise the own ones',
  access: on('requests.read'),
  token: null,
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text' },
    kind: { type: 'text', schema: Kind },
    state: { type: 'text', schema: Type.Enum([...REQUEST_STATES]) },
    item: { type: 'text', schema: Item },
    product: { type: 'text' },
    target: { type: 'text', schema: Target },
    targetName: { type: 'text' },
    quantity: { type: 'number', schema: Type.Integer() },
    reason: { type: 'text' },
    requestedBy: { type: 'text' },
    requestedAt: { type: 'instant' },
    expiresAt: { type: 'instant' },
    decidedBy: { type: 'text', nullable: true, schema: Type.String({ description: 'Who set the rule, for isByRule' }) },
    decidedAt: { type: 'instant', nullable: true },
    decision: { type: 'text', nullable: true, schema: Type.String({ description: 'What the decider wrote' }) },
    isByRule: { type: 'boolean' },
    grantedQuantity: {
      type: 'number',
      nullable: true,
      schema: Type.Integer({ description: 'What was approved, if it is approved' }),
    },
    grantedProduct: {
      type: 'text',
      nullable: true,
      schema: Type.String({ description: 'What was approved, if it is another product than the one asked for' }),
    },
    grantedTarget: {
      type: 'text',
      nullable: true,
      schema: Type.String({
        description:
          'The web user, license server or contract of the approval, if it is another than the one asked for',
      }),
    },
    revision: { type: 'number', schema: Revision },
  },
  key: ['id'],
  defaultSort: [{ name: 'requestedAt', direction: 'desc' }],
  distinct: 'state',
})
const Decided = exactly({
  id: Id,
  state: Type.Enum([...REQUEST_STATES]),
  revision: Revision,
  isByRule: Type.Boolean({ description: 'Approved at once by a rule of the account' }),
})

const wanted = { kind: Kind, item: Item, target: Target, quantity: Quantity, reason: Reason }

export const askRequest = operation({
  name: 'requests/ask',
  summary:
    'Asks for a web license, for seats on a license server, or for an order. Administrators are told by email. Approved at once if a rule of the account says so and seats are free.',
  access: on('requests.ask'),
  token: null,
  writes: true,
  audit: askedWords('ask for something'),
  refusals: [
    'NO_SUCH_ACTIVATION',
    'ENTITLEMENT_EXPIRED',
    'NOT_ACTIVATABLE',
    'PRODUCT_NOT_OFFERED',
    'CONTRACT_EXPIRED',
    'INVALID_EMAIL',
    'ALREADY_ASSIGNED',
    'ALREADY_REQUESTED',
    'NO_REQUEST_NEEDED',
    'TOO_MANY_OPEN_REQUESTS',
  ],
  body: requestFields({ customerNumber: CustomerNumber, ...wanted }),
  data: Decided,
})

const decided = { customerNumber: CustomerNumber, id: Id, revision: Revision }

export const withdrawRequest = operation({
  name: 'requests/withdraw',
  summary: 'Withdraws a request of the caller',
  access: on('requests.read'),
  token: null,
  writes: true,
  audit: decidedWords('Withdrew', 'withdraw a request'),
  refusals: ['REQUEST_CLOSED'],
  body: requestFields({ customerNumber: CustomerNumber, id: Id }),
  data: Decided,
})

export const approveRequest = operation({
  name: 'requests/approve',
  summary:
    'Approves a request and does what it asks for, in one transaction. If that is refused, the request stays open. item, target and quantity change it first.',
  access: on('requests.decide'),
  token: null,
  writes: true,
  audit: decidedWords('Approved', 'approve a request'),
  refusals: [
    'REQUEST_CLOSED',
    'INVALID_EMAIL',
    'NO_SUCH_ACTIVATION',
    'ENTITLEMENT_EXPIRED',
    'MAINTENANCE_EXPIRED',
    'NOT_ACTIVATABLE',
    'SEAT_GONE',
    'HOST_BUSY',
    'HOST_IN_USE',
    'UNMANAGED_MEMBERS',
    'NOT_IN_CATALOG',
    'EXPORT_DENIED',
    'NO_LICENSES',
    ...orderEntitlements.refusals,
  ],
  body: requestFields({
    ...decided,
    item: Type.Optional(Item),
    target: Type.Optional(Target),
    quantity: Type.Optional(Quantity),
    order: Type.Optional(
      exactly({
        startDate: Type.String({ maxLength: 40, description: 'yyyy-mm-dd' }),
        endDate: Type.String({ maxLength: 40, description: 'yyyy-mm-dd: the last day of a price period' }),
        cost: Type.String({ maxLength: 40, description: 'What the order may cost: another price is refused' }),
      }),
    ),
  }),
  data: Decided,
})

export const declineRequest = operation({
  name: 'requests/decline',
  summary: 'Declines a request with a reason, which the person gets by email',
  access: on('requests.decide'),
  token: null,
  writes: true,
  audit: decidedWords('Declined', 'decline a request'),
  refusals: ['REQUEST_CLOSED'],
  body: requestFields({ ...decided, reason: PlainLines(MAX_REASON, { isRequired: true }) }),
  data: Decided,
})

const rules = {
  askers: Type.Enum([...ASKERS], {
    description: 'Who may ask: people who see the account but may not do it themselves, and web users',
  }),
  approveWebLicenses: Type.Boolean({ description: 'Approve web licenses at once while seats are free' }),
  approveSeats: Type.Boolean({ description: 'Approve seats on license servers at once while seats are free' }),
  days: Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'Days after which an open request expires' }),
}
const SavedRules = exactly({ ...rules, revision: Revision })
export type SavedRules = Static<typeof SavedRules>

export const getRequestRules = operation({
  name: 'requests/rules',
  summary: 'The rules of an account for requests',
  access: on('requests.read'),
  token: null,
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: SavedRules,
})

export const saveRequestRules = operation({
  name: 'requests/rules/save',
  summary: 'Saves who may ask on an account, and what is approved without a decision',
  access: on('requests.rules'),
  token: null,
  writes: true,
  audit: plain('Changed the rules for requests', 'change the rules for requests'),
  body: requestFields({ customerNumber: CustomerNumber, rules: exactly(rules), revision: Revision }),
  data: SavedRules,
})

/** Web users see no account. These calls are about the caller alone. */
const signedIn = { kind: 'signed-in' } as const

const WebOffer = exactly({
  customerNumber: Type.String(),
  customerName: Type.String(),
  licenses: Type.Array(
    exactly({
      activationId: Type.String(),
      product: Type.String(),
      isAssigned: Type.Boolean(),
      isRequested: Type.Boolean({ description: 'The caller has asked for it, and it is not decided yet' }),
    }),
  ),
})

export const getOwnRequests = operation({
  name: 'requests/own',
  summary: 'What the caller, as a web user of accounts, has requested and can request',
  access: signedIn,
  token: null,
  writes: false,
  data: exactly({
    offers: Type.Array(WebOffer),
    requests: Type.Array(
      exactly({
        customerNumber: Type.String(),
        id: Id,
        product: Type.String(),
        state: Type.Enum([...REQUEST_STATES]),
        requestedAt: Type.String({ format: 'date-time' }),
        decision: Type.Union([Type.String(), Type.Null()]),
        grantedProduct: Type.Union([Type.String(), Type.Null()], {
          description: 'What was approved, if it is another product than the one asked for',
        }),
        grantedTarget: Type.Union([Type.String(), Type.Null()], {
          description: 'Who has the license, if it is somebody else than the caller',
        }),
      }),
    ),
  }),
})
export type OwnRequests = Static<typeof getOwnRequests.data>

export const askWebLicense = operation({
  name: 'requests/own/ask',
  summary: 'Asks for a web license of an account whose web user the caller is',
  access: signedIn,
  token: null,
  writes: true,
  audit: askedWords('ask for a web license'),
  refusals: [...askRequest.refusals, 'NO_SUCH_USER'],
  body: requestFields({ customerNumber: CustomerNumber, activationId: Item, reason: Reason }),
  data: Decided,
})

export const withdrawOwnRequest = operation({
  name: 'requests/own/withdraw',
  summary: 'Withdraws a request that the caller has made as a web user',
  access: signedIn,
  token: null,
  writes: true,
  audit: decidedWords('Withdrew', 'withdraw a request'),
  refusals: ['REQUEST_CLOSED', 'NO_SUCH_REQUEST'],
  body: requestFields({ customerNumber: CustomerNumber, id: Id }),
  data: Decided,
})
