import { everyone } from '#server/testing/samples/rules.ts'
import { on, type Samples } from '#server/testing/samples/sample.ts'

export const searchSamples: Samples = {
  rows: {
    search: on(everyone, { text: 'aero' }),
  },
}
