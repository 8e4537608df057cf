import { parseAttributePath } from '#domain/provisioning/attribute-path.ts'
import type { ScimGroup } from '#domain/provisioning/scim-group.ts'
import { ScimProblem } from '#domain/provisioning/scim-problem.ts'
import {
  ENTERPRISE_ATTRIBUTES,
  ENTERPRISE_SCHEMA,
  GROUP_ATTRIBUTES,
  GROUP_SCHEMA,
  type ScimAttribute,
  sameName,
  USER_ATTRIBUTES,
  USER_SCHEMA,
} from '#domain/provisioning/scim-schema.ts'
import type { ScimUser } from '#domain/provisioning/scim-user.ts'
import { isObject, type JsonObject } from '#domain/provisioning/scim-values.ts'

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'
export const ERROR_SCHEMA = `${MESSAGES}:Error`
const LIST_SCHEMA = `${MESSAGES}:ListResponse`
const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** The most resources of one answer. */
export const MAX_RESULTS = 200
export const DEFAULT_RESULTS = 100

/** The state of a resource in our database. */
export type Kept = {
  readonly id: string
  readonly createdAt: Date
  readonly changedAt: Date
  readonly revision: number
}
/** A resource that another one refers to. */
export type Reference = { readonly id: string; readonly name: string }

export const tagOf = ({ revision }: Pick<Kept, 'revision'>) => `W/"${revision}"`

const metaOf = (type: 'User' | 'Group', kept: Kept, base: string) => ({
  resourceType: type,
  created: kept.createdAt.toISOString(),
  lastModified: kept.changedAt.toISOString(),
  version: tagOf(kept),
  location: locationOf(type, kept.id, base),
})

/** `base` is the address of the account: https://…/scim/v2/100001 */
export const locationOf = (type: 'User' | 'Group', id: string, base: string) =>
  `${base}/${type}s/${encodeURIComponent(id)}`

export function userResource(user: ScimUser, groups: readonly Reference[], kept: Kept, base: string): JsonObject {
  return {
    schemas: [USER_SCHEMA, ...(user[ENTERPRISE_SCHEMA] ? [ENTERPRISE_SCHEMA] : [])],
    id: kept.id,
    ...user,
    ...(groups.length > 0
      ? { groups: groups.map(({ id, name }) => ({ value: id, $ref: locationOf('Group', id, base), display: name })) }
      : {}),
    meta: metaOf('User', kept, base),
  }
}

export function groupResource(
  group: ScimGroup,
  members: readonly Reference[] | undefined,
  kept: Kept,
  base: string,
): JsonObject {
  return {
    schemas: [GROUP_SCHEMA],
    id: kept.id,
    ...group,
    ...(members
      ? {
          members: members.map(({ id, name }) => ({
            value: id,
            $ref: locationOf('User', id, base),
            display: name,
            type: 'User',
          })),
        }
      : {}),
    meta: metaOf('Group', kept, base),
  }
}

export const listResource = (
  resources: readonly JsonObject[],
  totalResults: number,
  startIndex: number,
): JsonObject => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** Which attributes an answer has. */
export type Projection = {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Whether an attribute will be in the answer, so that nobody reads for nothing. */
export const isWanted = (name: string, projection: Projection): boolean => name in project({ [name]: true }, projection)

/** Always has id and schemas. Names that nothing has are ignored. */
export function project(resource: JsonObject, { attributes, excludedAttributes }: Projection): JsonObject {
  if (attributes) return chosen(resource, namesIn(attributes), true)
  return excludedAttributes ? chosen(resource, namesIn(excludedAttributes), false) : resource
}

type Name = {
  readonly holder: string | undefined
  readonly attribute: string | undefined
  readonly part: string | undefined
}

/** "userName,emails[type eq …]": what is in brackets says nothing about the answer. */
function namesIn(list: string): Name[] {
  return list
    .slice(0, 4_000)
    .split(',')
    .flatMap((one) => {
      const [text = ''] = one.trim().split('[')
      try {
        const { schema, attribute, part } = parseAttributePath(text, 'invalidValue')
        return schema === 'other'
          ? []
          : { holder: schema === 'enterprise' ? ENTERPRISE_SCHEMA : undefined, attribute, part }
      } catch (error) {
        if (error instanceof ScimProblem) return []
        throw error
      }
    })
}

const ALWAYS = ['id', 'schemas']

function chosen(resource: JsonObject, names: readonly Name[], isKept: boolean): JsonObject {
  const pick = (object: JsonObject, holder: string | undefined): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]) => {
        if (holder === undefined && ALWAYS.includes(name)) return [[name, value]]
        if (holder === undefined && name === ENTERPRISE_SCHEMA && isObject(value))
          return withValues(name, pickHeld(name, value))
        const about = names.filter((one) => one.holder === holder && one.attribute && sameName(one.attribute, name))
        if (about.length === 0) return isKept ? [] : [[name, value]]
        if (about.some(({ part }) => part === undefined)) return isKept ? [[name, value]] : []
        return withValues(
          name,
          partsOf(
            value,
            about.map(({ part = '' }) => part),
            isKept,
          ),
        )
      }),
    )
  const pickHeld = (holder: string, value: JsonObject) => {
    const isWhole = names.some((one) => one.holder === holder && one.attribute === undefined)
    if (isWhole) return isKept ? value : {}
    return pick(value, holder)
  }
  return pick(resource, undefined)
}

function partsOf(value: unknown, parts: readonly string[], isKept: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => partsOf(one, parts, isKept))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => parts.some((part) => sameName(part, name)) === isKept),
  )
}

const withValues = (name: string, value: unknown): [string, unknown][] =>
  isObject(value) && Object.keys(value).length === 0 ? [] : [[name, value]]

export const serviceProviderConfig = (base: string): JsonObject => ({
  schemas: [CONFIG_SCHEMA],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token with the scope scim, made by an administrator of the account',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const typeOf = (
  name: 'User' | 'Group',
  schema: string,
  description: string,
  extensions: readonly string[],
  base: string,
) => ({
  schemas: [TYPE_SCHEMA],
  id: name,
  name,
  description,
  endpoint: `/${name}s`,
  schema,
  ...(extensions.length > 0
    ? { schemaExtensions: extensions.map((extension) => ({ schema: extension, required: false })) }
    : {}),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

export const resourceTypes = (base: string): readonly (JsonObject & { readonly id: string })[] => [
  typeOf('User', USER_SCHEMA, 'User Account', [ENTERPRISE_SCHEMA], base),
  typeOf('Group', GROUP_SCHEMA, 'Group', [], base),
]

function attributeResource({ name, type, description, parts, ...more }: ScimAttribute): JsonObject {
  return {
    name,
    type,
    description,
    multiValued: more.isList ?? false,
    required: more.isRequired ?? false,
    caseExact: more.isCaseExact ?? false,
    mutability: more.isReadOnly ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: more.uniqueness ?? 'none',
    ...(type === 'reference' ? { referenceTypes: [name === '$ref' ? 'User' : 'external'] } : {}),
    ...(parts ? { subAttributes: parts.map(attributeResource) } : {}),
  }
}

const schemaOf = (
  id: string,
  name: string,
  description: string,
  attributes: readonly ScimAttribute[],
  base: string,
) => ({
  schemas: [SCHEMA_SCHEMA],
  id,
  name,
  description,
  attributes: attributes.map(attributeResource),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

export const schemaResources = (base: string): readonly (JsonObject & { readonly id: string })[] => [
  schemaOf(USER_SCHEMA, 'User', 'User Account', USER_ATTRIBUTES, base),
  schemaOf(ENTERPRISE_SCHEMA, 'EnterpriseUser', 'Enterprise User', ENTERPRISE_ATTRIBUTES, base),
  schemaOf(GROUP_SCHEMA, 'Group', 'Group', GROUP_ATTRIBUTES, base),
]

/** The body of every error. */
export const errorResource = (status: number, detail: string, scimType?: string): JsonObject => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
})
