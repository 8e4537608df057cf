import { Type } from 'typebox'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

const ActivationId = Type.String({ minLength: 1, maxLength: 64 })

/** The screen sends 100 ids at a time; the limit fits the longest page. */
const MAX_IDS = 1000

export const countFulfillments = operation({
  name: 'fulfillments/count',
  summary:
    'How many seats of each activation are activated on license servers; ids that are not the account’s are left out',
  access: { kind: 'account', action: 'ssl.read', customerNumberIn: 'body' },
  token: 'activations',
  writes: false,
  bodyLimit: LIST_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    activationId: Type.Array(ActivationId, { maxItems: MAX_IDS }),
  }),
  data: Type.Record(Type.String(), Type.Integer()),
})
