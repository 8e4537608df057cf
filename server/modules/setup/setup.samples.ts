import { type Samples, signedIn } from '#server/testing/samples/sample.ts'

export const setupSamples: Samples = {
  rows: {
    setup: signedIn(),
  },
}
