import { expect, test } from 'vitest'
import { crashRounds, VICTIMS } from '#server/testing/crashes/crash-rounds.ts'

const ROUNDS = 10

test.each(VICTIMS)(
  `${ROUNDS} rounds of kill -9 of %s under a write load lose no acknowledged write`,
  async (victim) => {
    const seed = Date.now()
    const { acknowledged, missing } = await crashRounds(victim, ROUNDS, seed)
    console.log(
      `${victim} killed ${ROUNDS} times: ${acknowledged} rows acknowledged, ${missing.length} missing (seed ${seed})`,
    )
    expect(missing).toEqual([])
    expect(acknowledged).toBeGreaterThan(20 * ROUNDS)
  },
)
