import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOperations } from '#domain/provisioning/patch-operations.ts'
import { ScimProblem } from '#domain/provisioning/scim-problem.ts'
import { ENTERPRISE_SCHEMA } from '#domain/provisioning/scim-schema.ts'
import { emailOf, patchUser, readUser, type ScimUser } from '#domain/provisioning/scim-user.ts'
import { MAX_TEXT } from '#domain/provisioning/scim-values.ts'

const scimTypeOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof ScimProblem) return error.scimType
    throw error
  }
  return 'none'
}

const ANN: ScimUser = readUser({
  userName: 'ann.lee@company.com',
  externalId: 'E-1',
  name: { givenName: 'Ann', familyName: 'Lee' },
  displayName: 'Ann Lee',
  emails: [{ value: 'ann.lee@company.com', type: 'work', primary: true }],
  active: true,
})
const patched = (...operations: object[]) => patchUser(ANN, readOperations({ Operations: operations }))

/** As Microsoft Entra ID sends it when it creates a person. */
const FROM_ENTRA = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE_SCHEMA],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Test_User_ab6490ee@company.com',
  active: true,
  addresses: [{ primary: false, type: 'work', country: 'US', locality: 'Redmond' }],
  displayName: 'Test User',
  emails: [{ primary: true, type: 'work', value: 'Test_User_ab6490ee@company.com' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  phoneNumbers: [{ type: 'work', value: '+1 425 555 0100' }],
  preferredLanguage: 'en-us',
  roles: [],
  [ENTERPRISE_SCHEMA]: { department: 'Design', costCenter: 4711, manager: { value: '9' } },
}
/** As Okta sends it, with a password that nobody has asked for. */
const FROM_OKTA = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ben.ode@company.com',
  name: { givenName: 'Ben', familyName: 'Ode' },
  emails: [{ primary: true, value: 'ben.ode@company.com', type: 'work' }],
  displayName: 'Ben Ode',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
}

describe('the body of a person', () => {
  test('keeps what the portal uses, and nothing else', () => {
    expect(readUser(FROM_ENTRA)).toEqual({
      userName: 'Test_User_ab6490ee@company.com',
      externalId: FROM_ENTRA.externalId,
      name: FROM_ENTRA.name,
      displayName: 'Test User',
      active: true,
      emails: FROM_ENTRA.emails,
      [ENTERPRISE_SCHEMA]: { department: 'Design', costCenter: '4711', manager: { value: '9' } },
    })
    expect(JSON.stringify(readUser(FROM_OKTA))).not.toContain('1mz050nq')
  })

  test('names of attributes are read without case', () => {
    const read = readUser({
      USERNAME: 'ann',
      Active: 'FALSE',
      Emails: [{ Primary: 'True', Type: 'work', Value: 'ann@company.com' }],
      [ENTERPRISE_SCHEMA.toUpperCase()]: { Department: 'Design', Manager: { Value: '9' } },
    })
    expect(read).toEqual({
      userName: 'ann',
      active: false,
      emails: [{ primary: true, type: 'work', value: 'ann@company.com' }],
      [ENTERPRISE_SCHEMA]: { department: 'Design', manager: { value: '9' } },
    })
  })

  test.each([
    ['name', null],
    ['name', {}],
    ['name', { givenName: '', familyName: null }],
    ['displayName', ''],
    ['emails', []],
    ['emails', null],
    [ENTERPRISE_SCHEMA, {}],
  ])('%s without a value is kept as none: %j', (attribute, value) => {
    expect(readUser({ userName: 'ann', [attribute]: value })).toEqual({ userName: 'ann', active: true })
  })

  test('a PUT without active leaves a person who has left where they are', () => {
    expect(readUser({ userName: 'ann' }, { active: false }).active).toBe(false)
    expect(readUser({ userName: 'ann', active: true }, { active: false }).active).toBe(true)
    expect(readUser({ userName: 'ann' }).active).toBe(true)
  })

  test.each<[string, unknown, string]>([
    ['no object', [], 'invalidSyntax'],
    ['nothing', undefined, 'invalidSyntax'],
    ['no userName', { active: true }, 'invalidValue'],
    ['an empty userName', { userName: ' ' }, 'invalidValue'],
    ['a userName that is no text', { userName: { a: 1 } }, 'invalidValue'],
    ['a long userName', { userName: 'x'.repeat(MAX_TEXT + 1) }, 'invalidValue'],
    ['half a character', { userName: '\ud800' }, 'invalidValue'],
    ['an active of no kind', { userName: 'ann', active: 'perhaps' }, 'invalidValue'],
    ['a name that is a number', { userName: 'ann', name: 5 }, 'invalidValue'],
    ['two display names', { userName: 'ann', displayName: ['a', 'b'] }, 'invalidValue'],
    [
      'a hundred emails',
      { userName: 'ann', emails: Array.from({ length: 100 }, (_, i) => ({ value: `${i}@x.com` })) },
      'tooMany',
    ],
  ])('with %s is refused', (_what, body, scimType) => {
    expect(scimTypeOf(() => readUser(body))).toBe(scimType)
  })
})

describe('a patch of a person', () => {
  test.each(['replace', 'Replace', 'REPLACE', 'add', 'Add'])('takes %s in any case', (op) => {
    expect(patched({ op, path: 'displayName', value: 'Ann Ode' }).displayName).toBe('Ann Ode')
  })

  test.each(['replaces', '', 'move', null, 5])('refuses the unknown op %j', (op) => {
    expect(scimTypeOf(() => patched({ op, path: 'displayName', value: 'x' }))).toBe('invalidSyntax')
  })

  test.each([
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'replace', path: 'active', value: false },
    { op: 'replace', path: 'ACTIVE', value: ['false'] },
    { op: 'replace', path: 'active', value: [{ value: 'False' }] },
    { op: 'replace', value: { active: false } },
    { op: 'Add', value: { Active: 'FALSE' } },
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: 'false' },
    { OP: 'replace', PATH: 'active', VALUE: 'false' },
  ])('deactivates by %j', (operation) => {
    expect(patched(operation)).toEqual({ ...ANN, active: false })
  })

  test('changes only what a value without a path names', () => {
    const after = patched({
      op: 'Replace',
      value: {
        'name.givenName': 'Anna',
        [`${ENTERPRISE_SCHEMA}:department`]: 'Design',
        [ENTERPRISE_SCHEMA]: { costCenter: '4711' },
        nickName: 'Annie',
        id: 'other',
        'urn:example:custom:User:badge': 7,
      },
    })
    expect(after).toEqual({
      ...ANN,
      name: { givenName: 'Anna', familyName: 'Lee' },
      [ENTERPRISE_SCHEMA]: { department: 'Design', costCenter: '4711' },
    })
  })

  test('reads paths with colons', () => {
    const path = (name: string) => `${ENTERPRISE_SCHEMA}:${name}`
    const after = patched(
      { op: 'Add', path: path('department'), value: 'Design' },
      { op: 'Add', path: path('manager'), value: '9' },
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}.costCenter`, value: '4711' },
    )
    expect(after[ENTERPRISE_SCHEMA]).toEqual({ department: 'Design', manager: { value: '9' }, costCenter: '4711' })
    const without = patchUser(after, readOperations({ Operations: [{ op: 'remove', path: path('department') }] }))
    expect(without[ENTERPRISE_SCHEMA]).toEqual({ manager: { value: '9' }, costCenter: '4711' })
    const none = patchUser(after, readOperations({ Operations: [{ op: 'remove', path: ENTERPRISE_SCHEMA }] }))
    expect(none).toEqual(ANN)
  })

  test('changes one email by its type, and makes it if it is not there', () => {
    expect(patched({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'ann@company.com' }).emails).toEqual([
      { value: 'ann@company.com', type: 'work', primary: true },
    ])
    expect(patched({ op: 'Add', path: 'emails[type eq "home"].value', value: 'ann@home.example' }).emails).toEqual([
      ...ANN.emails!,
      { type: 'home', value: 'ann@home.example' },
    ])
    expect(patched({ op: 'remove', path: 'emails[type eq "work"]' }).emails).toBeUndefined()
    expect(patched({ op: 'remove', path: 'emails[type eq "home"]' })).toEqual(ANN)
    expect(patched({ op: 'remove', path: 'emails' }).emails).toBeUndefined()
  })

  test('keeps one primary email', () => {
    const { emails } = patched({ op: 'add', path: 'emails', value: [{ value: 'new@company.com', primary: true }] })
    expect(emails).toEqual([
      { ...ANN.emails![0], primary: false },
      { value: 'new@company.com', primary: true },
    ])
  })

  test('clears an attribute by an empty value', () => {
    expect(patched({ op: 'replace', path: 'displayName', value: '' }).displayName).toBeUndefined()
    expect(patched({ op: 'remove', path: 'name' }).name).toBeUndefined()
    expect(patched({ op: 'remove', path: 'name.givenName' }).name).toEqual({ familyName: 'Lee' })
  })

  test.each<[object, string]>([
    [{ op: 'replace', path: 'shoeSize', value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 'name.shoeSize', value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: `${ENTERPRISE_SCHEMA}:shoeSize`, value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[shoe eq "x"].value', value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "work"', value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails]type eq "work"[', value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName[value eq "x"]', value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 7, value: 5 }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
  ])('%j is refused', (operation, scimType) => {
    expect(scimTypeOf(() => patched(operation))).toBe(scimType)
  })

  test.each([undefined, null, {}, { Operations: [] }, { Operations: 'x' }, { Operations: [5] }])(
    'without operations is refused: %j',
    (body) => {
      expect(scimTypeOf(() => readOperations(body))).toBe('invalidSyntax')
    },
  )

  test('ignores attributes of RFC 7643 that are not kept', () => {
    expect(patched({ op: 'replace', path: 'addresses[type eq "work"].country', value: 'DE' })).toEqual(ANN)
    expect(patched({ op: 'add', path: 'phoneNumbers', value: [{ value: '1' }] })).toEqual(ANN)
    expect(patched({ op: 'add', path: 'urn:example:custom:2.0:User:badge', value: '1' })).toEqual(ANN)
  })

  test('any operations make a person or an error of SCIM, and never change the userName unasked', () => {
    const path = fc.constantFrom(
      'active',
      'displayName',
      'name',
      'name.givenName',
      'emails',
      'emails[type eq "work"].value',
      'emails[type eq "work"]',
      `${ENTERPRISE_SCHEMA}:department`,
      ENTERPRISE_SCHEMA,
      undefined,
    )
    const operation = fc.record({ op: fc.constantFrom('add', 'replace', 'remove'), path, value: fc.jsonValue() })
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 5 }), (operations) => {
        try {
          const { userName, active } = patched(...operations)
          expect(typeof active).toBe('boolean')
          expect(userName).toBe(ANN.userName)
        } catch (error) {
          expect(error).toBeInstanceOf(ScimProblem)
        }
      }),
    )
  })
})

test.each<[string, Pick<ScimUser, 'emails' | 'userName'>, string | undefined]>([
  [
    'the primary email',
    { userName: 'ann', emails: [{ value: 'a@x.example' }, { value: 'B@x.example', primary: true }] },
    'b@x.example',
  ],
  [
    'the email for work',
    {
      userName: 'ann',
      emails: [
        { value: 'a@x.example', type: 'home' },
        { value: 'b@x.example', type: 'Work' },
      ],
    },
    'b@x.example',
  ],
  ['any email', { userName: 'ann', emails: [{ value: 'none' }, { value: 'a@x.example' }] }, 'a@x.example'],
  ['the userName', { userName: 'Ann@X.example' }, 'ann@x.example'],
  ['no address at all', { userName: 'ann', emails: [{ value: 'none' }] }, undefined],
])('a person is known by %s', (_what, user, email) => {
  expect(emailOf(user)).toBe(email)
})
