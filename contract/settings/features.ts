import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { requestFields } from '#contract/kit/schema.ts'
import { difference, texts } from '#domain/audit/words.ts'

export const Feature = Type.Object({
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  isDefault: Type.Boolean({ description: 'Whether it is enabled for people who have chosen nothing' }),
  conflicts: Type.Array(Type.String(), { description: 'Names it cannot be combined with' }),
})
export type Feature = Static<typeof Feature>

export const getFeatures = operation({
  name: 'getFeatures',
  summary: 'Feature flags of the signed-in person',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  takesTurns: false,
  data: Type.Array(Feature),
})

export const setFeatures = operation({
  name: 'setFeatures',
  refusals: ['FEATURE_CONFLICT'],
  summary: 'Choose the enabled feature flags (not in production)',
  access: { kind: 'signed-in' },
  token: null,
  writes: true,
  audit: {
    what: 'change feature flags',
    done: ({ before, after }) => `Changed the feature flags${difference(texts(before), texts(after))}`,
  },
  body: requestFields({ features: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 200 }) }),
  data: Type.Array(Feature),
})
