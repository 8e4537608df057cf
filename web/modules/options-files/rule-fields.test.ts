import { expect, test } from 'vitest'
import { readOptions } from '#domain/options-files/options-document.ts'
import { isEditable, NEW_RULE, ruleErrors, toLine, toValues } from '#web/modules/options-files/rule-fields.ts'

const partOf = (line: string) => readOptions(line)[0]!

test.each([
  'RESERVE 3 solver GROUP crash',
  'MAX 1 solver:VERSION=2026.1 HOST pc1',
  'INCLUDE solver USER "ann smith"',
  'EXCLUDEALL HOST_GROUP lab',
  'GROUP crash ann "bea of night" chris',
  'HOST_GROUP lab 10.0.0.*',
  'TIMEOUT solver 3600',
  'TIMEOUTALL 900',
])('the fields of %s make the line again', (line) => {
  const values = toValues(partOf(line).statement!)!
  expect(ruleErrors(values)).toEqual({})
  expect(toLine(values)).toBe(line)
})

test.each(['NOLOG IN', 'OWN keyword', 'RESERVE x', '# comment', 'INCLUDE_BORROW solver USER ann'])(
  '%s is edited in the text',
  (line) => expect(isEditable(partOf(line))).toBe(false),
)

test('what is missing or cannot be written is an error of its field', () => {
  const errors = ruleErrors({ ...NEW_RULE, count: 0, feature: '', name: 'a"b' })
  expect(Object.keys(errors).filter((name) => errors[name] !== undefined)).toEqual(['count', 'feature', 'name'])
  expect(ruleErrors({ ...NEW_RULE, kind: 'GROUP', name: 'g' }).members).toBe('Enter at least one member.')
  expect(ruleErrors({ ...NEW_RULE, kind: 'TIMEOUTALL', seconds: 'soon' }).seconds).toBeDefined()
})

test('members of a group may be separated by commas and lines', () => {
  expect(toLine({ ...NEW_RULE, kind: 'GROUP', name: 'crash', members: 'ann, bea\nchris;dan' })).toBe(
    'GROUP crash ann bea chris dan',
  )
})
