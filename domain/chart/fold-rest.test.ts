import { expect, test } from 'vitest'
import { foldedBefore, foldRest } from '#domain/chart/fold-rest.ts'

const parts = (values: Record<string, string>) => Object.entries(values).map(([label, value]) => ({ label, value }))

test('a folded list keeps what its rest adds up to, now and before', () => {
  const now = parts({ a: '9', b: '8', c: '2', d: '1' })
  const folded = foldRest(now, 2)
  expect(folded).toEqual(parts({ a: '9', b: '8', '2 others': '3' }))
  expect(foldedBefore(folded, now, parts({ b: '4', c: '1', gone: '5' }))).toEqual(['0', '4', '6'])
})

test('a single remaining part keeps its name and its earlier value', () => {
  const now = parts({ a: '9', b: '8' })
  expect(foldedBefore(foldRest(now, 1), now, parts({ b: '4', gone: '5' }))).toEqual(['0', '4'])
})
