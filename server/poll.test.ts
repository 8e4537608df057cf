import { expect, onTestFinished, test } from 'vitest'
import { poll } from '#server/poll.ts'
import { until } from '#server/testing/until.ts'

/** Longer than any test: only a wake-up or the answer of a round leads to the next one. */
const NEVER = 2 ** 31 - 1

function started(round: (at: number) => Promise<unknown>, interval = NEVER) {
  const failures: unknown[] = []
  let rounds = 0
  const loop = poll({ interval, round: () => round(++rounds), failed: (error) => void failures.push(error) })
  onTestFinished(() => loop.stop())
  return { ...loop, first: loop.start(), failures, rounds: () => rounds }
}

test('the next round follows at once when more is waiting', async () => {
  const loop = started(async (at) => at < 5)
  await until(() => loop.rounds() === 5, 'five rounds')
})

test('start resolves after the first round', async () => {
  const gate = Promise.withResolvers<void>()
  let isOver = false
  const loop = started(() => gate.promise)
  const first = loop.first.then(() => {
    isOver = true
  })
  expect([loop.rounds(), isOver]).toEqual([1, false])
  gate.resolve()
  await first
  expect(isOver).toBe(true)
})

test('a wake-up during a round leads to another round', async () => {
  const gate = Promise.withResolvers<void>()
  const loop = started((at) => (at === 1 ? gate.promise : Promise.resolve()))
  loop.wake()
  expect(loop.rounds()).toBe(1)
  gate.resolve()
  await until(() => loop.rounds() === 2, 'a second round')
})

test('a wake-up ends the pause between two rounds', async () => {
  const loop = started(async () => {})
  await loop.first
  loop.wake()
  await until(() => loop.rounds() === 2, 'a second round')
})

test('a failed round is reported, and the next one follows after the interval', async () => {
  const loop = started(async (at) => {
    if (at < 3) throw new Error(`round ${at}`)
  }, 1)
  await until(() => loop.rounds() > 3, 'more rounds')
  expect(loop.failures.map(String)).toEqual(['Error: round 1', 'Error: round 2'])
})

test('stop aborts the signal, waits for the round, and begins no other', async () => {
  const stopped = Promise.withResolvers<void>()
  let rounds = 0
  const loop = poll({
    interval: 1,
    async round(signal) {
      rounds++
      signal.addEventListener('abort', () => stopped.resolve())
      await stopped.promise
      return true
    },
    failed: () => {},
  })
  void loop.start()
  await loop.stop()
  expect(rounds).toBe(1)
})

test('a loop that was never started can be stopped', async () => {
  await poll({ interval: NEVER, round: async () => {}, failed: () => {} }).stop()
})
