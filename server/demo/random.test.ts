import { expect, it } from 'vitest'
import { seededRandom } from '#server/demo/random.ts'

const draw = (seed: string) => {
  const random = seededRandom(seed)
  return Array.from({ length: 20 }, () => random.integer(0, 999))
}

it('the same seed always gives the same numbers', () => {
  expect(draw('accounts').slice(0, 5)).toEqual([475, 228, 207, 556, 679])
  expect(draw('accounts')).toEqual(draw('accounts'))
  expect(draw('accounts')).not.toEqual(draw('contacts'))
})

it('integers are spread evenly within their bounds', () => {
  const random = seededRandom('dice')
  const counts = new Map<number, number>()
  for (let roll = 0; roll < 6000; roll++) {
    const face = random.integer(1, 6)
    counts.set(face, (counts.get(face) ?? 0) + 1)
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6])
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
})

it('weighted picks by weight, and never an item of weight 0', () => {
  const random = seededRandom('weights')
  const picks = Array.from({ length: 1000 }, () =>
    random.weighted([
      ['often', 9],
      ['rarely', 1],
      ['never', 0],
    ] as const),
  )
  expect(picks.filter((pick) => pick === 'never')).toEqual([])
  expect(picks.filter((pick) => pick === 'rarely').length).toBeGreaterThan(50)
  expect(picks.filter((pick) => pick === 'rarely').length).toBeLessThan(150)
})

it('shuffled keeps every item', () => {
  const items = Array.from({ length: 50 }, (_, index) => index)
  const shuffled = seededRandom('cards').shuffled(items)
  expect(shuffled).not.toEqual(items)
  expect([...shuffled].sort((a, b) => a - b)).toEqual(items)
})
