import { everyone, STAFF } from '#server/testing/samples/rules.ts'
import { missing, on, type Samples } from '#server/testing/samples/sample.ts'

export const homeSamples: Samples = {
  rows: {
    home: on(everyone),
    'home/hide': missing(everyone, { key: 'no such matter' }),
    'home/show': on(everyone, () => ({ key: 'no such matter' })),
    'home/accounts': { kind: { on: 'portal', may: STAFF }, sample: () => ({}) },
  },
}
