import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'

export const lastUpdatedOn = operation({
  name: 'lastupdatedon',
  summary: 'When usage last arrived: of the account’s elastic server, or else of the whole installation',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'query', optional: true },
  token: 'usage',
  writes: false,
  query: requestFields({ customerNumber: Type.Optional(CustomerNumber) }),
  data: Type.Null(),
  extraFields: {
    lastUpdatedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'null where none has ever arrived',
    }),
    archivedBefore: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'Transactions that ended before this day (UTC) are archived: lists and exports do not have them',
    }),
  },
})
