import { expect, test } from 'vitest'
import { conflictsAmong } from '#domain/settings/feature-selection.ts'

const features = [
  { name: 'a', conflicts: ['b'] },
  { name: 'b', conflicts: ['a'] },
  { name: 'c', conflicts: ['a'] },
  { name: 'd', conflicts: [] },
]

test.each([
  [[], []],
  [['a', 'd'], []],
  [['a', 'b'], [['a', 'b']]],
  [['a', 'c'], [['a', 'c']]],
  [
    ['a', 'b', 'c', 'd'],
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
  ],
  [['b', 'c'], []],
])('selection %j is in conflict over %j', (selected, pairs) => {
  expect(conflictsAmong(features, new Set(selected))).toEqual(pairs)
})
