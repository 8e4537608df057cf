import { expect, test } from 'vitest'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { type GroupRule, groupsIn, mappingOf, roleOfGroups } from '#domain/sign-in-providers/group-access.ts'

const RULES: GroupRule[] = [
  { group: 'Staff', role: VIEWER, webGroupId: 'all' },
  { group: 'License admins', role: ADMINISTRATOR, webGroupId: null },
  { group: 'Guests', role: null, webGroupId: null },
]

test.each<[groups: string[], role: string | null]>([
  [[], null],
  [['Guests', 'Unknown'], null],
  [['Staff'], VIEWER],
  [['Staff', 'License admins'], ADMINISTRATOR],
  [['license admins'], null],
])('members of %j get the role %s', (groups, role) => {
  expect(roleOfGroups(groups, RULES)).toBe(role)
})

test('rules are mappings of the groups that they name', () => {
  expect(mappingOf(RULES).get('Staff')).toEqual({ groupId: 'Staff', role: VIEWER, webGroupId: 'all' })
})

test.each([
  [undefined, undefined],
  [null, undefined],
  ['Staff', ['Staff']],
  [
    ['Staff', 7, { name: 'x' }, 'CFD'],
    ['Staff', 'CFD'],
  ],
  [[], []],
])('a claim %j has the groups %j', (claim, groups) => {
  expect(groupsIn(claim)).toEqual(groups)
})
