import { type TProperties, Type } from 'typebox'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'
import { field, named, text, type Words } from '#domain/audit/words.ts'
import { PROVISIONING_SCOPE } from '#domain/tokens/token-areas.ts'

/*
 * SCIM 2.0 (RFC 7643 and 7644): the identity provider of an account reports its people and groups. Providers add parameters of
 * their own, so unknown ones are ignored here, other than everywhere else.
 */

export const SCIM_MEDIA = 'application/scim+json'

const common = {
  access: { kind: 'account', action: 'provisioning.sync', customerNumberIn: 'params' },
  token: PROVISIONING_SCOPE,
  wire: 'scim',
  data: Type.Null(),
} as const
const reading = { ...common, method: 'GET', writes: false } as const
/** One token writes one change after the other: a provider that sends many at once waits without a connection. */
const writing = { ...common, writes: true, takesTurns: true, bodyLimit: BATCH_BODY_LIMIT } as const

const account = { customerNumber: CustomerNumber }
const resource = {
  ...account,
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the resource' }),
}
const OfAccount = Type.Object(account)
const OfResource = Type.Object(resource)

const loose = <const P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: true })
const List = Type.String({ maxLength: 4_000 })
const projection = {
  attributes: Type.Optional(Type.Unsafe<string>({ ...List, description: 'The attributes that the answer has' })),
  excludedAttributes: Type.Optional(
    Type.Unsafe<string>({ ...List, description: 'Attributes that the answer leaves out' }),
  ),
}
const Projected = loose(projection)
const ListQuery = loose({
  ...projection,
  filter: Type.Optional(
    Type.String({
      maxLength: 8_000,
      description: 'eq, co, sw and pr, joined by and',
      examples: ['userName eq "ann.lee@company.com"'],
    }),
  ),
  startIndex: Type.Optional(Type.String({ maxLength: 20, description: 'The first result, counted from 1' })),
  count: Type.Optional(Type.String({ maxLength: 20, description: 'The most results, 200 at most' })),
})
const PathOf = (what: string): string => `/scim/v2/:customerNumber/${what}`

/** Checked by the rules of SCIM, which name what is wrong in its own form. */
const UserBody = Type.Unknown({
  description: 'A user of RFC 7643, with the enterprise extension',
  examples: [{ userName: 'ann.lee@company.com', active: true }],
})
const GroupBody = Type.Unknown({
  description: 'A group of RFC 7643',
  examples: [{ displayName: 'Engineering', members: [] }],
})
const PatchBody = Type.Unknown({
  description: 'Operations of RFC 7644',
  examples: [{ Operations: [{ op: 'replace', path: 'active', value: false }] }],
})

/** "Changed the person ann@company.com" */
const aboutUser = (did: string, what: string): Words => ({
  what,
  done: ({ before, after }) => `${did} ${text(field(after, 'userName')) || text(field(before, 'userName'))}`.trimEnd(),
})

export const getServiceProviderConfig = operation({
  ...reading,
  name: 'scim/config',
  path: PathOf('ServiceProviderConfig'),
  takesTurns: false,
  summary: 'What this SCIM service supports',
  params: OfAccount,
})
export const listResourceTypes = operation({
  ...reading,
  name: 'scim/resource-types',
  path: PathOf('ResourceTypes'),
  takesTurns: false,
  summary: 'The kinds of resources: users and groups',
  params: OfAccount,
})
export const getResourceType = operation({
  ...reading,
  name: 'scim/resource-types/one',
  path: PathOf('ResourceTypes/:id'),
  takesTurns: false,
  summary: 'One kind of resource',
  params: OfResource,
})
export const listSchemas = operation({
  ...reading,
  name: 'scim/schemas',
  path: PathOf('Schemas'),
  takesTurns: false,
  summary: 'The attributes that are kept',
  params: OfAccount,
})
export const getSchema = operation({
  ...reading,
  name: 'scim/schemas/one',
  path: PathOf('Schemas/:id'),
  takesTurns: false,
  summary: 'The attributes of one schema',
  params: OfResource,
})

export const listScimUsers = operation({
  ...reading,
  name: 'scim/users',
  path: PathOf('Users'),
  summary: 'People of the account as its identity provider has reported them',
  params: OfAccount,
  query: ListQuery,
})
export const getScimUser = operation({
  ...reading,
  name: 'scim/users/one',
  path: PathOf('Users/:id'),
  takesTurns: false,
  summary: 'One person; 304 with If-None-Match if nothing has changed',
  params: OfResource,
  query: Projected,
  isConditional: true,
})
export const createScimUser = operation({
  ...writing,
  method: 'POST',
  name: 'scim/users/create',
  path: PathOf('Users'),
  summary: 'Add a person, who becomes a web user of the account',
  audit: aboutUser('Added the person', 'add a person'),
  params: OfAccount,
  query: Projected,
  body: UserBody,
})
export const replaceScimUser = operation({
  ...writing,
  method: 'PUT',
  name: 'scim/users/replace',
  path: PathOf('Users/:id'),
  summary: 'Replace what is kept of a person. Without active, it stays as it is.',
  audit: aboutUser('Changed the person', 'change a person'),
  params: OfResource,
  query: Projected,
  body: UserBody,
})
export const patchScimUser = operation({
  ...writing,
  method: 'PATCH',
  name: 'scim/users/patch',
  path: PathOf('Users/:id'),
  summary: 'Change a person. active = false ends all access at once.',
  audit: aboutUser('Changed the person', 'change a person'),
  params: OfResource,
  query: Projected,
  body: PatchBody,
})
export const deleteScimUser = operation({
  ...writing,
  method: 'DELETE',
  name: 'scim/users/delete',
  path: PathOf('Users/:id'),
  summary: 'Remove a person and end all access at once',
  audit: aboutUser('Removed the person', 'remove a person'),
  params: OfResource,
})

export const listScimGroups = operation({
  ...reading,
  name: 'scim/groups',
  path: PathOf('Groups'),
  summary: 'Groups of the account as its identity provider has reported them',
  params: OfAccount,
  query: ListQuery,
})
export const getScimGroup = operation({
  ...reading,
  name: 'scim/groups/one',
  path: PathOf('Groups/:id'),
  takesTurns: false,
  summary: 'One group with its members; 304 with If-None-Match if nothing has changed',
  params: OfResource,
  query: Projected,
  isConditional: true,
})
export const createScimGroup = operation({
  ...writing,
  method: 'POST',
  name: 'scim/groups/create',
  path: PathOf('Groups'),
  summary: 'Add a group. It gives nothing until an administrator says what.',
  audit: named('Added the group', 'add a group', 'after', 'displayName'),
  params: OfAccount,
  query: Projected,
  body: GroupBody,
})
export const replaceScimGroup = operation({
  ...writing,
  method: 'PUT',
  name: 'scim/groups/replace',
  path: PathOf('Groups/:id'),
  summary: 'Replace a group. Without members, they stay as they are.',
  audit: named('Changed the group', 'change a group', 'after', 'displayName'),
  params: OfResource,
  query: Projected,
  body: GroupBody,
})
export const patchScimGroup = operation({
  ...writing,
  method: 'PATCH',
  name: 'scim/groups/patch',
  path: PathOf('Groups/:id'),
  summary: 'Rename a group, add members and remove members',
  audit: named('Changed the group', 'change a group', 'after', 'displayName'),
  params: OfResource,
  query: Projected,
  body: PatchBody,
})
export const deleteScimGroup = operation({
  ...writing,
  method: 'DELETE',
  name: 'scim/groups/delete',
  path: PathOf('Groups/:id'),
  summary: 'Remove a group: its members lose what it gave them',
  audit: named('Removed the group', 'remove a group', 'before', 'displayName'),
  params: OfResource,
})
