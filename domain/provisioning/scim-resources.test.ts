import { expect, test } from 'vitest'
import { isWanted, project, resourceTypes, schemaResources, userResource } from '#domain/provisioning/scim-resources.ts'
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from '#domain/provisioning/scim-schema.ts'

const BASE = 'https://portal.example/scim/v2/100001'
const KEPT = { id: 'a 1', createdAt: new Date(0), changedAt: new Date(1000), revision: 3 }
const ANN = userResource(
  {
    userName: 'ann',
    active: true,
    emails: [{ value: 'ann@x.example', type: 'work' }],
    [ENTERPRISE_SCHEMA]: { department: 'Design', costCenter: '4711' },
  },
  [{ id: 'g1', name: 'Engineering' }],
  KEPT,
  BASE,
)

test('a person carries schemas, groups, version and address', () => {
  expect(ANN).toMatchObject({
    schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
    groups: [{ value: 'g1', display: 'Engineering', $ref: `${BASE}/Groups/g1` }],
    meta: {
      resourceType: 'User',
      version: 'W/"3"',
      location: `${BASE}/Users/a%201`,
      created: '1970-01-01T00:00:00.000Z',
    },
  })
})

test.each<[string, string[]]>([
  ['userName', ['userName']],
  ['USERNAME,emails', ['userName', 'emails']],
  ['emails[type eq "work"]', ['emails']],
  [`${USER_SCHEMA}:userName`, ['userName']],
  [ENTERPRISE_SCHEMA, [ENTERPRISE_SCHEMA]],
  ['shoeSize, ,a.b.c', []],
])('attributes=%s answers these, id and schemas', (attributes, names) => {
  expect(Object.keys(project(ANN, { attributes })).sort()).toEqual(['id', 'schemas', ...names].sort())
})

test('a part of an attribute can be chosen and left out', () => {
  const department = `${ENTERPRISE_SCHEMA}:department`
  expect(project(ANN, { attributes: `emails.value,${department}` })).toEqual({
    schemas: ANN.schemas,
    id: 'a 1',
    emails: [{ value: 'ann@x.example' }],
    [ENTERPRISE_SCHEMA]: { department: 'Design' },
  })
  const without = project(ANN, { excludedAttributes: `emails.value,groups,id,${department}` })
  expect(without).toMatchObject({ id: 'a 1', emails: [{ type: 'work' }], [ENTERPRISE_SCHEMA]: { costCenter: '4711' } })
  expect(without).not.toHaveProperty('groups')
})

test('what is not in the answer is not read', () => {
  expect(isWanted('members', {})).toBe(true)
  expect(isWanted('members', { excludedAttributes: 'members' })).toBe(false)
  expect(isWanted('members', { attributes: 'displayName' })).toBe(false)
  expect(isWanted('members', { attributes: 'members.value' })).toBe(true)
})

test('schemas describe every attribute that is kept', () => {
  expect(resourceTypes(BASE).map(({ id }) => id)).toEqual(['User', 'Group'])
  const [user] = schemaResources(BASE)
  expect(user).toMatchObject({ id: USER_SCHEMA, name: 'User', meta: { location: `${BASE}/Schemas/${USER_SCHEMA}` } })
  expect(user?.attributes).toContainEqual(
    expect.objectContaining({
      name: 'userName',
      required: true,
      caseExact: false,
      uniqueness: 'server',
      multiValued: false,
    }),
  )
})
