import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOperations } from '#domain/provisioning/patch-operations.ts'
import { type MemberChange, patchGroup, readGroup } from '#domain/provisioning/scim-group.ts'
import { ScimProblem } from '#domain/provisioning/scim-problem.ts'

const scimTypeOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof ScimProblem) return error.scimType
    throw error
  }
  return 'none'
}

const GROUP = { displayName: 'Engineering', externalId: 'E-1' }
const patched = (...operations: object[]) => patchGroup(GROUP, readOperations({ Operations: operations }))
/** Who is a member afterwards. */
function after(before: readonly string[], { isNew, add, remove }: MemberChange): string[] {
  const stay = isNew ? [] : before.filter((id) => !remove.has(id))
  return [...new Set([...stay, ...add])].sort()
}
const members = (...operations: object[]) => after(['a', 'b', 'c'], patched(...operations).members)

describe('a patch of a group', () => {
  test.each<[string, object, string[]]>([
    ['adds a member', { op: 'add', path: 'members', value: [{ value: 'd' }] }, ['a', 'b', 'c', 'd']],
    [
      'adds a member of any type',
      { op: 'Add', path: 'members', value: [{ value: 'd', type: 'User', $ref: null }] },
      ['a', 'b', 'c', 'd'],
    ],
    ['adds a member by its id alone', { op: 'add', path: 'members', value: 'd' }, ['a', 'b', 'c', 'd']],
    ['adds a member without a list', { op: 'add', path: 'members', value: { value: 'd' } }, ['a', 'b', 'c', 'd']],
    ['adds members without a path', { op: 'add', value: { members: [{ value: 'd' }] } }, ['a', 'b', 'c', 'd']],
    ['removes one by a filter', { op: 'remove', path: 'members[value eq "b"]' }, ['a', 'c']],
    ['removes those of a list', { op: 'Remove', path: 'members', value: [{ value: 'a' }, { value: 'b' }] }, ['c']],
    [
      'removes one by its id in the value',
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'b' }] },
      ['a', 'c'],
    ],
    ['removes nobody by an empty list', { op: 'remove', path: 'members', value: [] }, ['a', 'b', 'c']],
    ['removes nobody who is no member', { op: 'remove', path: 'members[value eq "z"]' }, ['a', 'b', 'c']],
    ['removes everybody', { op: 'remove', path: 'members' }, []],
    ['replaces everybody', { op: 'replace', path: 'members', value: [{ value: 'c' }, { value: 'd' }] }, ['c', 'd']],
    ['empties by replace with an empty list', { op: 'replace', path: 'members', value: [] }, []],
    ['empties by replace without a path', { op: 'replace', value: { members: [] } }, []],
    ['leaves members alone when it renames', { op: 'replace', value: { displayName: 'Design' } }, ['a', 'b', 'c']],
    [
      'leaves members alone when it renames with an id',
      { op: 'replace', value: { id: 'x', displayName: 'Design' } },
      ['a', 'b', 'c'],
    ],
    [
      'leaves members alone when it renames by path',
      { op: 'replace', path: 'displayName', value: 'Design' },
      ['a', 'b', 'c'],
    ],
  ])('%s', (_what, operation, expected) => {
    expect(members(operation)).toEqual(expected)
  })

  test('does its operations in their order', () => {
    expect(members({ op: 'add', path: 'members', value: 'd' }, { op: 'remove', path: 'members', value: 'd' })).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(members({ op: 'remove', path: 'members', value: 'a' }, { op: 'add', path: 'members', value: 'a' })).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(members({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: 'd' })).toEqual(['d'])
  })

  test('renames, and keeps the rest', () => {
    expect(patched({ op: 'Replace', path: 'displayName', value: 'Design' }).group).toEqual({
      ...GROUP,
      displayName: 'Design',
    })
    expect(patched({ op: 'remove', path: 'externalId' }).group).toEqual({ displayName: 'Engineering' })
  })

  test('takes a thousand members in one operation and in a thousand', () => {
    const ids = Array.from({ length: 1000 }, (_, i) => `u${i}`)
    expect(members({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) })).toHaveLength(1003)
    expect(members(...ids.map((value) => ({ op: 'add', path: 'members', value: [{ value }] })))).toHaveLength(1003)
  })

  test.each<[object, string]>([
    [{ op: 'replace', path: 'members' }, 'invalidValue'],
    [{ op: 'replace', path: 'members', value: null }, 'invalidValue'],
    [{ op: 'add', path: 'members' }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ display: 'nobody' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: 'g', type: 'Group' }] }, 'invalidValue'],
    [{ op: 'replace', path: 'members[value eq "a"]', value: 'b' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value co "a"]' }, 'invalidPath'],
    [{ op: 'replace', path: 'shoeSize', value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'empty', path: 'members' }, 'invalidSyntax'],
  ])('%j is refused', (operation, scimType) => {
    expect(scimTypeOf(() => patched(operation))).toBe(scimType)
  })

  test('any operations on members end where doing them one after the other ends', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'remove', 'replace'), path: fc.constant('members'), value: fc.array(id) }),
      id.map((one) => ({ op: 'remove', path: `members[value eq "${one}"]` })),
      fc.constant({ op: 'remove', path: 'members' }),
    )
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 8 }), (operations) => {
        const oneByOne = operations.reduce<string[]>((now, one) => after(now, patched(one).members), ['a', 'b', 'c'])
        expect(members(...operations)).toEqual(oneByOne)
      }),
    )
  })
})

describe('the body of a group', () => {
  test('says who the members are, or nothing about them', () => {
    expect(readGroup({ displayName: 'Engineering', members: [{ value: 'a' }, 'b'] })).toEqual({
      group: { displayName: 'Engineering' },
      members: new Set(['a', 'b']),
    })
    expect(readGroup({ DISPLAYNAME: 'Engineering', Members: [] }).members).toEqual(new Set())
    expect(readGroup({ displayName: 'Engineering' }).members).toBeUndefined()
  })

  test.each<[unknown, string]>([
    [undefined, 'invalidSyntax'],
    [{}, 'invalidValue'],
    [{ displayName: '' }, 'invalidValue'],
    [{ displayName: 'x', members: [{}] }, 'invalidValue'],
  ])('%j is refused', (body, scimType) => {
    expect(scimTypeOf(() => readGroup(body))).toBe(scimType)
  })
})
