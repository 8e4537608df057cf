import { type Static, Type } from 'typebox'
import { Amount } from '#contract/fsa/contracts.ts'
import { OrderLines, orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, Revision, requestFields } from '#contract/kit/schema.ts'
import { download, named } from '#domain/audit/words.ts'

const DraftId = Type.String({ minLength: 1, maxLength: 64 })

const DraftSchema = Type.Object({
  id: Type.String(),
  fsaID: Type.String({ description: 'The contract to order from' }),
  name: Type.String(),
  products: Type.Array(Type.Unsafe<Static<typeof OrderLines>[number]>({ type: 'object', additionalProperties: true })),
  revision: Revision,
  savedBy: Type.String(),
  savedAt: Type.String({ format: 'date-time' }),
  totalCost: Type.Union([Amount], { description: 'Of all lines, as they were saved' }),
  errors: Type.Array(Type.Union([Type.String(), Type.Null()]), {
    description: 'Why a line cannot be ordered now, in the order of the lines; null if it can be',
  }),
  isValid: Type.Boolean({ description: 'Every line can be ordered as it is: the price list has not changed since' }),
})
export type Draft = Static<typeof DraftSchema>

/** People who may read the spending account may save drafts. Placing an order needs the right to order. */
const access = { kind: 'account', action: 'fsa.read', customerNumberIn: 'body' } as const

export const listDrafts = operation({
  name: 'fsa/drafts',
  summary: 'Draft orders of an account, the last saved first; those with manual entries for business operations only',
  access,
  token: 'spending-account',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Array(DraftSchema),
})

export const saveDraft = operation({
  name: 'fsa/drafts/save',
  summary: 'Saves a new draft order, or changes one with id and revision (409 if somebody else has saved it since)',
  access,
  token: 'spending-account',
  writes: true,
  audit: named('Saved the draft order', 'save a draft order', 'after'),
  refusals: ['TOO_MANY_DRAFTS'],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    fsaID: Type.String({ minLength: 1, maxLength: 200 }),
    name: PlainLine(100, { isRequired: true }),
    products: OrderLines,
    id: Type.Optional(DraftId),
    revision: Type.Optional(Revision),
  }),
  data: DraftSchema,
})

export const deleteDraft = operation({
  name: 'fsa/drafts/delete',
  summary: 'Deletes a draft order: for whoever saved it, and for those who may order',
  access,
  token: 'spending-account',
  writes: true,
  audit: named('Deleted the draft order', 'delete a draft order', 'before'),
  body: requestFields({ customerNumber: CustomerNumber, id: DraftId }),
  data: Type.Null(),
})

export const quoteDraft = operation({
  name: 'fsa/drafts/quote',
  summary: 'A draft order as a quote with prices, as a CSV file; refused if a line cannot be ordered as it is',
  access,
  token: 'spending-account',
  writes: false,
  audit: download('a quote'),
  refusals: orderEntitlements.refusals,
  body: requestFields({ customerNumber: CustomerNumber, id: DraftId }),
  data: Type.Unknown(),
  media: 'text/csv',
})

export const quoteDraftAsPdf = operation({
  ...quoteDraft,
  name: 'fsa/drafts/quote/pdf',
  audit: download('a quote'),
  token: 'spending-account',
  summary: 'A draft order as a quote with prices, as a PDF file; refused if a line cannot be ordered as it is',
  media: 'application/pdf',
})
