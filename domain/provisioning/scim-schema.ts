/*
 * What the portal keeps of people and groups: the schemas that /Schemas answers, and by which bodies are read. What is not in
 * them is ignored, because providers send whatever their directory has, and the portal keeps no more about people than it uses.
 */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export type ScimAttribute = {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'reference'
  readonly description: string
  readonly isList?: true
  readonly isRequired?: true
  readonly isReadOnly?: true
  /** Compared with upper and lower case. */
  readonly isCaseExact?: true
  readonly uniqueness?: 'server'
  readonly parts?: readonly ScimAttribute[]
}

const text = (name: string, description: string, more: Partial<ScimAttribute> = {}): ScimAttribute => ({
  name,
  type: 'string',
  description,
  ...more,
})

export const EXTERNAL_ID = text('externalId', 'The id of the resource at the provider', { isCaseExact: true })
const READ_ONLY = { isReadOnly: true } as const

export const USER_ATTRIBUTES: readonly ScimAttribute[] = [
  text('userName', 'The name by which the provider knows the person, unique in the account', {
    isRequired: true,
    uniqueness: 'server',
  }),
  EXTERNAL_ID,
  {
    name: 'name',
    type: 'complex',
    description: 'The parts of the name',
    parts: [
      text('formatted', 'The full name'),
      text('familyName', 'The family name'),
      text('givenName', 'The given name'),
      text('middleName', 'The middle names'),
      text('honorificPrefix', 'Titles before the name'),
      text('honorificSuffix', 'Titles after the name'),
    ],
  },
  text('displayName', 'The name that is shown'),
  text('title', 'The title of the position'),
  {
    name: 'active',
    type: 'boolean',
    description: 'Whether the person has access. False ends all of it at once.',
  },
  {
    name: 'emails',
    type: 'complex',
    isList: true,
    description: 'Email addresses. The portal knows the person by the primary one.',
    parts: [
      text('value', 'The address'),
      text('display', 'How the address is shown'),
      text('type', 'The kind of address: work, home or other'),
      { name: 'primary', type: 'boolean', description: 'Whether it is the main address' },
    ],
  },
  {
    name: 'groups',
    type: 'complex',
    isList: true,
    description: 'The groups of the person',
    ...READ_ONLY,
    parts: [
      text('value', 'The id of the group', READ_ONLY),
      { name: '$ref', type: 'reference', description: 'The address of the group', ...READ_ONLY },
      text('display', 'The name of the group', READ_ONLY),
    ],
  },
]

export const ENTERPRISE_ATTRIBUTES: readonly ScimAttribute[] = [
  text('employeeNumber', 'The number of the person in the company'),
  text('costCenter', 'The cost center, for chargeback'),
  text('organization', 'The organization'),
  text('division', 'The division'),
  text('department', 'The department, for chargeback'),
  {
    name: 'manager',
    type: 'complex',
    description: 'The manager',
    parts: [text('value', 'The id of the manager'), text('displayName', 'The name of the manager')],
  },
]

export const GROUP_ATTRIBUTES: readonly ScimAttribute[] = [
  text('displayName', 'The name of the group', { isRequired: true }),
  EXTERNAL_ID,
  {
    name: 'members',
    type: 'complex',
    isList: true,
    description: 'The people of the group',
    parts: [
      text('value', 'The id of the person'),
      { name: '$ref', type: 'reference', description: 'The address of the person', ...READ_ONLY },
      text('display', 'The name of the person', READ_ONLY),
      text('type', 'Always User', READ_ONLY),
    ],
  },
]

/** Attributes of RFC 7643 that the portal does not keep. A request may name them all the same. */
const NOT_KEPT: ReadonlySet<string> = new Set(
  [
    'nickName',
    'profileUrl',
    'userType',
    'preferredLanguage',
    'locale',
    'timezone',
    'password',
    'phoneNumbers',
    'ims',
    'photos',
    'addresses',
    'entitlements',
    'roles',
    'x509Certificates',
  ].map((name) => name.toLowerCase()),
)

export const isNotKept = (name: string): boolean => NOT_KEPT.has(name.toLowerCase())

const SAME_CASE = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Names of attributes are compared without case. */
export function attributeNamed(attributes: readonly ScimAttribute[], name: string): ScimAttribute | undefined {
  return attributes.find((one) => SAME_CASE(one.name, name))
}

export const sameName = SAME_CASE
