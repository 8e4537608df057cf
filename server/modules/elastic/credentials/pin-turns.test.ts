import { expect, test } from 'vitest'
import { createPinTurns } from '#server/modules/elastic/credentials/pin-turns.ts'

const HERE = { closed: false }

/** Work that the test begins and ends. Others may hold one of the two turns. */
function watched(free: 1 | 2) {
  const turns = createPinTurns()
  if (free === 1) void turns.run('another', HERE, () => new Promise(() => {}))
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (guesser: string, name = guesser) =>
    turns.run(guesser, HERE, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endNext = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { turns, begun, start, endNext }
}

test('attempts of one guesser run one after the other, and guessers come in turn', async () => {
  const { begun, start, endNext } = watched(1)
  const all = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1')]
  await new Promise(setImmediate)
  expect(begun).toEqual(['a1'])
  await endNext()
  expect(begun).toEqual(['a1', 'a2'])
  await endNext()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await endNext()
  await endNext()
  await Promise.all(all)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('two guessers run at once', async () => {
  const { begun, start, endNext } = watched(2)
  const all = ['a', 'b', 'c'].map((guesser) => start(guesser))
  await new Promise(setImmediate)
  expect(begun).toEqual(['a', 'b'])
  for (let left = 3; left > 0; left--) await endNext()
  await Promise.all(all)
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('an attempt whose caller has gone is left out, and one that fails lets the next begin', async () => {
  const { turns } = watched(1)
  const gone = turns.run('a', { closed: true }, async () => 'done')
  const failed = turns.run('a', HERE, async () => Promise.reject(new Error('refused')))
  const last = turns.run('a', HERE, async () => 'done')
  await expect(gone).rejects.toThrow('The connection was closed')
  await expect(failed).rejects.toThrow('refused')
  expect(await last).toBe('done')
})
