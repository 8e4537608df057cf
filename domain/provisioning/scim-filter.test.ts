import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  GROUP_FILTER_FIELDS,
  MAX_FILTER,
  MAX_TERMS,
  matches,
  parseFilter,
  USER_FILTER_FIELDS,
} from '#domain/provisioning/scim-filter.ts'
import { ScimProblem } from '#domain/provisioning/scim-problem.ts'

const problemOf = (read: () => unknown): [scimType: string, message: string] => {
  try {
    read()
  } catch (error) {
    if (error instanceof ScimProblem) return [error.scimType, error.message]
    throw error
  }
  return ['none', '']
}
const ofUser = (filter: string) => problemOf(() => parseFilter(USER_FILTER_FIELDS, filter))

const ANN = {
  id: 'a1',
  userName: 'Ann.Lee@company.com',
  externalId: 'E-1',
  displayName: 'Ann Lee',
  active: true,
  emails: [
    { value: 'ann.lee@company.com', type: 'work', primary: true },
    { value: 'ann@home.example', type: 'home' },
  ],
}
const meets = (filter: string, resource = ANN) =>
  matches(USER_FILTER_FIELDS, parseFilter(USER_FILTER_FIELDS, filter), resource)

describe('a filter on people', () => {
  test.each([
    ['userName eq "ann.lee@COMPANY.com"', true],
    ['USERNAME EQ "ann.lee@company.com"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann.lee@company.com"', true],
    ['userName eq "ann"', false],
    ['userName sw "ANN."', true],
    ['userName co "lee@"', true],
    ['externalId eq "E-1"', true],
    ['externalId eq "e-1"', false],
    ['id eq "a1"', true],
    ['id eq "A1"', false],
    ['displayName eq "ann lee"', true],
    ['active eq true', true],
    ['active eq "True"', true],
    ['active eq "False"', false],
    ['active eq false', false],
    ['externalId pr', true],
    ['emails pr', true],
    ['emails eq "ann@home.example"', true],
    ['emails.value co "HOME"', true],
    ['emails[type eq "work"]', true],
    ['emails[type eq "work" and value sw "ann.lee"]', true],
    ['emails[type eq "work" and value eq "ann@home.example"]', false],
    ['emails[primary eq false and type eq "home"]', true],
    ['userName sw "ann" and active eq true and emails[type eq "other"]', false],
    ['  userName   eq   "ann.lee@company.com"  ', true],
    ['displayName eq null', false],
    ['displayName eq "a \\"quoted\\" name"', false],
  ])('%s finds Ann: %s', (filter, isFound) => {
    expect(meets(filter)).toBe(isFound)
  })

  test('an attribute without a value meets only eq null', () => {
    const nobody = { ...ANN, externalId: undefined } as unknown as typeof ANN
    expect(meets('externalId eq null', nobody)).toBe(true)
    expect(meets('externalId pr', nobody)).toBe(false)
    expect(meets('externalId co ""', nobody)).toBe(false)
  })

  test.each([
    ['', 'An attribute is missing'],
    ['userName', 'An operator is missing'],
    ['userName eq', 'A value in quotes is expected'],
    ['userName eq ann', 'A value in quotes is expected'],
    ['userName eq "ann', 'has no end'],
    ['userName eq "ann" or active eq true', '"or" is not supported here. Only "and" joins conditions.'],
    ['not (userName eq "ann")', '"not" are not supported'],
    ['(userName eq "ann")', 'An attribute is missing'],
    ['userName ne "ann"', 'The operator "ne" is not supported. Use eq, co, sw or pr.'],
    ['userName eq 5', 'userName is compared with a text in quotes.'],
    ['active co "t"', 'active can be compared with eq and pr only.'],
    ['active eq "perhaps"', 'active is compared with true or false.'],
    [
      'title eq "x"',
      'Filters on "title" are not supported. Use userName, id, externalId, displayName, active, emails.',
    ],
    ['name.familyName eq "Lee"', 'Filters on "name" are not supported'],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"', 'are not supported'],
    ['emails[type eq "work"', '"]" is missing'],
    ['emails[]', 'An attribute is missing'],
    ['emails[street eq "x"]', 'Filters on "emails.street" are not supported.'],
    ['userName[value eq "x"]', 'userName has no elements.'],
    ['userName eq "ann" and', 'An attribute is missing'],
    ['userName eq "ann" active eq true', '"active" is not supported here'],
    ['a.b.c eq "x"', 'names no attribute'],
    [`userName eq "${'x'.repeat(MAX_FILTER)}"`, `A filter can have ${MAX_FILTER} characters.`],
    [
      Array.from({ length: MAX_TERMS + 1 }, () => 'active pr').join(' and '),
      `A filter can have ${MAX_TERMS} conditions.`,
    ],
  ])('%s is refused, and the text says why', (filter, message) => {
    const [scimType, said] = ofUser(filter)
    expect(scimType).toBe('invalidFilter')
    expect(said).toContain(message)
  })

  test('any text is a filter or an error of SCIM', () => {
    const words = fc.constantFrom(
      'userName',
      'emails',
      '[',
      ']',
      '(',
      ')',
      '"',
      'eq',
      'and',
      'or',
      'pr',
      ' ',
      '\\',
      'x',
      '"a"',
      '.',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 20 }).map((parts) => parts.join('')),
        ),
        (text) => {
          ofUser(text)
        },
      ),
    )
  })
})

test('a filter on groups finds those of a member', () => {
  const group = { id: 'g1', displayName: 'Engineering', members: [{ value: 'a1' }, { value: 'b2' }] }
  const meetsGroup = (filter: string) => matches(GROUP_FILTER_FIELDS, parseFilter(GROUP_FILTER_FIELDS, filter), group)
  expect(meetsGroup('members eq "a1"')).toBe(true)
  expect(meetsGroup('members.value eq "b2"')).toBe(true)
  expect(meetsGroup('displayName eq "engineering" and members[value eq "c3"]')).toBe(false)
  expect(problemOf(() => parseFilter(GROUP_FILTER_FIELDS, 'userName eq "x"'))[0]).toBe('invalidFilter')
})
