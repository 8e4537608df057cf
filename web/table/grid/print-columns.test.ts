import { expect, test } from 'vitest'
import { printColumns } from '#web/table/grid/print-columns.ts'

const column = (id: string, kind?: 'number' | 'date' | 'id') => ({ id, column: kind ? { kind } : {} })

test('numbers, dates and ids have their room on paper, and texts share the rest', () => {
  const drawn = [column('name'), column('count', 'number'), column('end', 'date'), column('key', 'id'), column('note')]
  expect(printColumns(drawn, () => 130)).toBe('minmax(0, 130fr) 90px 90px 130px minmax(0, 130fr)')
})

test('a table that is wider than paper shrinks all its columns alike', () => {
  const drawn = Array.from({ length: 8 }, (_, at) => column(`n${at}`, 'number'))
  expect(new Set(printColumns(drawn, () => 130).split(/ (?=minmax)/))).toEqual(new Set(['minmax(0, 130fr)']))
})
