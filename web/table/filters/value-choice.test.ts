import { describe, expect, test } from 'vitest'
import {
  type Choice,
  choiceOf,
  filterToApply,
  isTicked,
  MAX_CHOSEN,
  problemOf,
  toggle,
  toggleAll,
  type Value,
} from '#web/table/filters/value-choice.ts'

const LISTED = ['a', 'b', 'c', null]
const lists = { listed: LISTED, all: LISTED, search: '' }

const only = (...values: Value[]): Choice => ({ isExcept: false, values: new Set(values) })
const allBut = (...values: Value[]): Choice => ({ isExcept: true, values: new Set(values) })
const ticked = (choice: Choice, among: readonly Value[] = LISTED) => among.filter((value) => isTicked(choice, value))

describe('what is applied', () => {
  test.each<[promise: string, choice: Choice, found: object, applied: object | undefined]>([
    ['everything ticked is no filter', only(...LISTED), {}, undefined],
    ['all but nothing is no filter', allBut(), {}, undefined],
    ['what a search found is a filter', only('a'), { listed: ['a'], search: 'a' }, { values: ['a'] }],
    ['a few are kept as they are', only('a', 'b'), {}, { values: ['a', 'b'] }],
    ['most are kept as all but the others', only('a', 'b', 'c'), {}, { type: 'except', values: [null] }],
    ['all but most are kept as a few', allBut('a', 'b'), {}, { values: ['c', null] }],
    ['all but one stays so', allBut('a'), {}, { type: 'except', values: ['a'] }],
    [
      'all but one stays so where others are not known',
      allBut('a'),
      { listed: ['a'], all: undefined, search: 'a' },
      { type: 'except', values: ['a'] },
    ],
    ['what is hidden now stays left out', allBut('a', 'z'), {}, { type: 'except', values: ['a', 'z'] }],
    ['what is hidden now stays chosen', only('a', 'b', 'c', 'z'), {}, { values: ['a', 'b', 'c', 'z'] }],
  ])('a choice of values is applied: %s', (_, choice, found, applied) => {
    expect(filterToApply(choice, { ...lists, ...found })).toEqual(applied && { filterType: 'set', ...applied })
  })

  test('is restored with the same ticks', () => {
    for (const choice of [only('a'), only('a', 'b', 'c'), only('a', 'b', null), allBut('a', 'b', 'c'), allBut(null)]) {
      const applied = filterToApply(choice, lists)
      expect(applied && ticked(choiceOf(applied))).toEqual(ticked(choice))
    }
  })

  test('any number of 500 values can be chosen, and at most half of them are sent', () => {
    const all = Array.from({ length: 500 }, (_, at) => `value ${at}`)
    for (const count of [1, 80, 249, 250, 251, 420, 499]) {
      const choice = only(...all.slice(0, count))
      const found = { listed: all, all, search: '' }
      expect(problemOf(choice, found)).toBeUndefined()
      const applied = filterToApply(choice, found)
      expect(applied?.values.length).toBeLessThanOrEqual(250)
      expect(applied && ticked(choiceOf(applied), all)).toEqual(all.slice(0, count))
    }
  })
})

test('unticking one leaves the others, whichever way they are kept', () => {
  expect(ticked(toggle(only(...LISTED), 'b'))).toEqual(['a', 'c', null])
  expect(ticked(toggle(allBut(), 'b'))).toEqual(['a', 'c', null])
  expect(ticked(toggle(allBut('b'), 'b'))).toEqual(LISTED)
})

test('Select All ticks and unticks what is listed; what the search hides stays', () => {
  expect([...toggleAll(only('hidden'), LISTED, true).values]).toEqual(['hidden', ...LISTED])
  expect([...toggleAll(only('hidden', 'a'), LISTED, false).values]).toEqual(['hidden'])
  expect([...toggleAll(allBut('hidden', 'a'), LISTED, true).values]).toEqual(['hidden'])
})

test('an empty choice cannot be applied', () => {
  expect(problemOf(only(), lists)).toBe('Choose at least one value.')
  expect(problemOf(allBut(...LISTED), lists)).toBe('Choose at least one value.')
})

test('more values than a filter can hold, collected over several searches, cannot be applied', () => {
  const many = Array.from({ length: MAX_CHOSEN + 1 }, (_, at) => `value ${at}`)
  expect(problemOf(only(...many), { listed: many.slice(0, 9), all: undefined, search: 'v' })).toMatch(/At most 500/)
})
