import { expect, test } from 'vitest'
import { compareStates } from '#domain/audit/compare-states.ts'

test.each<[what: string, before: unknown, after: unknown, lines: string[]]>([
  ['nothing', null, null, []],
  ['a changed value', { days: 30, name: 'a' }, { days: 60, name: 'a' }, ['days: 30 → 60 *', 'name: a → a']],
  ['an added field', null, { name: 'a' }, ['name: undefined → a *']],
  ['a removed field', { name: 'a' }, null, ['name: a → undefined *']],
  ['an emptied value', { name: 'a' }, { name: null }, ['name: a →  *']],
  ['lists', ['x', 'y'], ['x', 'z', 'w'], ['[1]: x → x', '[2]: y → z *', '[3]: undefined → w *']],
  [
    'nested values',
    { lines: [{ count: 1 }] },
    { lines: [] },
    ['lines[1].count: 1 → undefined *', 'lines: undefined → none *'],
  ],
  ['a plain text', 'support', 'sales', [': support → sales *']],
])('compares %s', (_, before, after, lines) => {
  const found = compareStates(before, after)
  expect(found.map((one) => `${one.path}: ${one.before} → ${one.after}${one.isChanged ? ' *' : ''}`)).toEqual(lines)
})
