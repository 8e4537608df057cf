import { type Samples, service } from '#server/testing/samples/sample.ts'

export const serviceSamples: Samples = {
  rows: {
    'service/whoami': service(undefined, () => ({})),
  },
}
