import { Type } from 'typebox'
import { flag, oneOf, optional, partNumber, required, text } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'

const DAEMONS = ['ansyslmd', 'ansoftd', 'fluentd', 'apacheda', 'sequenced'] as const

export const productRecords = recordKind({
  name: 'products',
  noun: 'the product',
  scope: 'catalog',
  summary: 'A product of the catalog',
  revoking: 'It is removed. What is sold, priced or rated stays: IN_USE.',
  canBeRemoved: true,
  key: ['partNumber'],
  schema: exactly({
    partNumber,
    name: text(
      {
        description: 'As people and usage name it; no other product has this name',
        examples: ['Example Solver Pro'],
      },
      required,
    ),
    itemNumber: text(
      { description: 'The item number of orders; no other product has it', examples: ['90-0010110'] },
      { minLength: 1, maxLength: 60 },
    ),
    daemon: oneOf(DAEMONS, { description: 'The license daemon that serves it', examples: ['ansyslmd'] }),
    isNodeLocked: optional(
      flag({ description: 'Runs on one machine without a license server', examples: [false], default: false }),
    ),
    featureNames: Type.Array(Type.String({ pattern: '^[A-Za-z0-9._-]{1,60}$' }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'The features of its license blocks',
      examples: [['struct_pro', 'prepost']],
    }),
  }),
})
