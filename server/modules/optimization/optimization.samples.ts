import { BEFORE_USAGE } from '#server/testing/samples/given.ts'
import { everyone } from '#server/testing/samples/rules.ts'
import { alike, on, type Samples } from '#server/testing/samples/sample.ts'
import type { Walk } from '#server/testing/samples/walk.ts'

export const optimizationSamples: Samples = {
  rows: {
    ...alike(on(everyone, BEFORE_USAGE), 'optimization', 'optimization/export', 'optimization/pdf'),
  },
  walk: walk,
}

async function walk({ call, lastMonth }: Walk): Promise<void> {
  for (const name of ['optimization', 'optimization/export', 'optimization/pdf'] as const)
    await call(name, { body: lastMonth })
}
