import { expect, test } from 'vitest'
import { runCollector } from '#server/testing/collector/collector-run.ts'

test.each(['one', 'two', 'three'])(
  'the collector loses nothing and sends nothing twice, random run %s',
  async (seed) => {
    const { arrived, written, faults } = await runCollector(seed)
    expect(faults).toEqual([])
    expect(arrived).toEqual(written)
  },
)
