import { expect, test } from 'vitest'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { type AccessChange, accessChange, type Mapping, type Person } from '#domain/provisioning/wanted-access.ts'

const MAPPING: ReadonlyMap<string, Mapping> = new Map(
  [
    { groupId: 'admins', role: ADMINISTRATOR, webGroupId: null },
    { groupId: 'readers', role: VIEWER, webGroupId: null },
    { groupId: 'designers', role: null, webGroupId: 'w1' },
    { groupId: 'artists', role: null, webGroupId: 'w1' },
  ].map((one) => [one.groupId, one as Mapping]),
)
const NEW: Person = {
  email: 'ann@x.example',
  groupIds: [],
  givenRole: null,
  givenWebGroups: [],
  role: null,
  webGroups: [],
}
const SAME: Omit<AccessChange, 'email'> = {
  role: undefined,
  joins: [],
  leaves: [],
  givenRole: null,
  givenWebGroups: [],
}

test.each<[string, Partial<Person>, Partial<AccessChange>]>([
  ['without groups gets nothing', {}, {}],
  ['of an unknown group gets nothing', { groupIds: ['others'] }, {}],
  ['gets the role of a group', { groupIds: ['readers'] }, { role: VIEWER, givenRole: VIEWER }],
  ['gets the highest role', { groupIds: ['readers', 'admins'] }, { role: ADMINISTRATOR, givenRole: ADMINISTRATOR }],
  ['keeps the role that is there', { groupIds: ['readers'], role: VIEWER, givenRole: VIEWER }, { givenRole: VIEWER }],
  ['loses a role that groups gave', { role: VIEWER, givenRole: VIEWER }, { role: null }],
  ['loses a role that was changed by hand since', { role: ADMINISTRATOR, givenRole: VIEWER }, { role: null }],
  ['keeps a role from elsewhere', { role: ADMINISTRATOR }, {}],
  [
    'with a role from elsewhere is taken over',
    { groupIds: ['readers'], role: ADMINISTRATOR },
    { role: VIEWER, givenRole: VIEWER },
  ],
  [
    'who lost the role by hand gets it back',
    { groupIds: ['readers'], givenRole: VIEWER },
    { role: VIEWER, givenRole: VIEWER },
  ],
  ['stays Support Coordinator', { groupIds: ['readers'], role: SUPPORT_COORDINATOR, givenRole: VIEWER }, {}],
  ['joins a web group once', { groupIds: ['designers', 'artists'] }, { joins: ['w1'], givenWebGroups: ['w1'] }],
  [
    'stays in a web group',
    { groupIds: ['artists'], webGroups: ['w1'], givenWebGroups: ['w1'] },
    { givenWebGroups: ['w1'] },
  ],
  ['leaves a web group that groups gave', { webGroups: ['w1', 'w2'], givenWebGroups: ['w1'] }, { leaves: ['w1'] }],
  ['stays in a web group from elsewhere', { webGroups: ['w2'] }, {}],
  ['has left a web group already', { givenWebGroups: ['w1'] }, {}],
])('a person %s', (_what, person, change) => {
  const given = { ...NEW, ...person }
  expect(accessChange(given, MAPPING)).toEqual({ email: NEW.email, ...SAME, ...change })
})
