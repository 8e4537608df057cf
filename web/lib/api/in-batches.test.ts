import { expect, test } from 'vitest'
import { inBatches } from '#web/lib/api/in-batches.ts'

test('sends requests of the same tick together, up to the batch size', async () => {
  const calls: number[][] = []
  const double = inBatches(3, async (ids: number[]) => {
    calls.push(ids)
    return ids.reduce((sum, id) => sum + id, 0)
  })
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([6, 6, 6, 4])
  expect(await double(5)).toBe(5)
  expect(calls).toEqual([[1, 2, 3], [4], [5]])
})

test('a failed batch rejects only its own requests', async () => {
  const ask = inBatches(1, async ([id]: string[]) => {
    if (id === 'bad') throw new Error('refused')
    return id
  })
  const [good, bad] = await Promise.allSettled([ask('good'), ask('bad')])
  expect(good).toMatchObject({ value: 'good' })
  expect(bad).toMatchObject({ reason: new Error('refused') })
})

test('limits the number of concurrent calls', async () => {
  let running = 0
  let most = 0
  const ask = inBatches(
    1,
    async ([id]: number[]) => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running -= 1
      return id
    },
    2,
  )
  expect(await Promise.all([1, 2, 3, 4, 5].map(ask))).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
})
