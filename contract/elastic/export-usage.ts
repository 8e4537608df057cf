import { Type } from 'typebox'
import { usageScope } from '#contract/elastic/fetch-usage.ts'
import { exportBody, MAX_FETCH_ALL, MAX_NUMBER } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'

export const exportUsage = operation({
  name: 'fetchUsage/export',
  method: 'POST',
  path: '/api/fetchUsage/export',
  summary:
    'Usage transactions as CSV (UTC times), refused over 30,000: FAILURE as JSON, and the background export serves',
  module: 'elastic',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  writes: false,
  body: exportBody({
    ...usageScope,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NUMBER,
        description: `How many transactions are taken, ${MAX_FETCH_ALL} at most. More are refused, never cut.`,
      }),
    ),
  }),
  data: Type.Unknown(),
  media: 'text/csv',
})
