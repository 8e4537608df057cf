import type { Samples } from '#server/testing/samples/sample.ts'

export const upkeepSamples: Samples = {
  rows: {
    upkeep: { kind: { on: 'portal', may: ['olivia', 'sam', 'adam'] }, sample: () => ({}) },
  },
}
