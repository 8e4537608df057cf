import { describe, expect, test } from 'vitest'
import { MAX_CHOSEN, problemOf, toggle, toggleAll, valuesToApply } from '#web/ui/grid/filter-row/value-choice.ts'

const LISTED = ['a', 'b', null]

describe('choosing values', () => {
  test('everything ticked with nothing searched for is no filter', () => {
    expect(valuesToApply(new Set(LISTED), LISTED, '')).toEqual([])
  })

  test('everything that a search found is a filter all the same', () => {
    expect(valuesToApply(new Set(['a']), ['a'], 'a')).toEqual(['a'])
  })

  test('unticking one leaves the others', () => {
    expect(valuesToApply(toggle(new Set(LISTED), 'b'), LISTED, '')).toEqual(['a', null])
  })

  test('Select All ticks and unticks what is listed; what the search hides stays', () => {
    expect([...toggleAll(new Set(['hidden']), LISTED, true)]).toEqual(['hidden', 'a', 'b', null])
    expect([...toggleAll(new Set(['hidden', 'a']), LISTED, false)]).toEqual(['hidden'])
  })

  test('nothing chosen cannot be applied', () => {
    expect(problemOf(new Set(), LISTED, '')).toBe('Choose at least one value.')
  })

  test('more than a filter can hold cannot be applied, except all of them', () => {
    const many = Array.from({ length: MAX_CHOSEN + 2 }, (_, at) => `value ${at}`)
    expect(problemOf(new Set(many), many, '')).toBeUndefined()
    expect(problemOf(toggle(new Set(many), 'value 0'), many, '')).toMatch(/At most 80/)
    expect(problemOf(new Set(many.slice(0, MAX_CHOSEN)), many, '')).toBeUndefined()
  })
})
