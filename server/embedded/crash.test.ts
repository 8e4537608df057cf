import { expect, test } from 'vitest'
import { crashRounds, VICTIMS } from '#server/testing/crash-rounds.ts'

/** A sample of `crash.long.test.ts`. */
test.each(VICTIMS)(
  'keeps every acknowledged write after kill -9 of %s under a write load',
  {
    timeout: 120_000,
  },
  async (victim) => {
    const { acknowledged, missing } = await crashRounds(victim, 2, 20_261_115)
    expect(missing).toEqual([])
    expect(acknowledged).toBeGreaterThan(40)
  },
)
