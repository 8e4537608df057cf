import { type AttributePath, shown } from '#domain/provisioning/attribute-path.ts'
import { type PatchOperation, parsePatchPath, testsOf } from '#domain/provisioning/patch-operations.ts'
import { EMAIL_FIELD, meetsAll, type PartTest } from '#domain/provisioning/scim-filter.ts'
import { refuse, ScimProblem } from '#domain/provisioning/scim-problem.ts'
import {
  attributeNamed,
  ENTERPRISE_ATTRIBUTES,
  ENTERPRISE_SCHEMA,
  isNotKept,
  type ScimAttribute,
  USER_ATTRIBUTES,
} from '#domain/provisioning/scim-schema.ts'
import { isObject, type JsonObject, readElement, readValue } from '#domain/provisioning/scim-values.ts'
import { readEmail } from '#domain/settings/email-address.ts'

export type ScimEmail = {
  readonly value?: string
  readonly display?: string
  readonly type?: string
  readonly primary?: boolean
}
export type ScimName = {
  readonly [part in
    | 'formatted'
    | 'familyName'
    | 'givenName'
    | 'middleName'
    | 'honorificPrefix'
    | 'honorificSuffix']?: string
}
export type Enterprise = {
  readonly employeeNumber?: string
  readonly costCenter?: string
  readonly organization?: string
  readonly division?: string
  readonly department?: string
  readonly manager?: { readonly value?: string; readonly displayName?: string }
}

/** A person as the provider reports them. */
export type ScimUser = {
  readonly userName: string
  readonly externalId?: string
  readonly name?: ScimName
  readonly displayName?: string
  readonly title?: string
  readonly active: boolean
  readonly emails?: readonly ScimEmail[]
  readonly [ENTERPRISE_SCHEMA]?: Enterprise
}

/** What is kept of a person besides the attributes that have a column. */
export type KeptAttributes = Pick<ScimUser, 'name' | 'title' | 'emails'> & {
  readonly enterprise?: Omit<Enterprise, 'costCenter' | 'department'>
}

type Draft = Record<string, unknown>

/** A body of POST or PUT. Without `active`, the person stays as they are: nobody gets access because a field is missing. */
export function readUser(body: unknown, current?: Pick<ScimUser, 'active'>): ScimUser {
  if (!isObject(body)) return refuse('invalidSyntax', 'The body must be an object.')
  const draft: Draft = {}
  for (const [name, value] of Object.entries(body)) merge(draft, { op: 'replace', path: name, value }, 'of a body')
  return toUser(draft, current?.active ?? true)
}

export function patchUser(user: ScimUser, operations: readonly PatchOperation[]): ScimUser {
  const draft: Draft = { ...user }
  for (const operation of operations) merge(draft, operation, 'of a patch')
  return toUser(draft, user.active)
}

function toUser(draft: Draft, isActive: boolean): ScimUser {
  if (typeof draft.userName !== 'string') return refuse('invalidValue', 'userName is required.')
  const user = { ...draft, active: draft.active ?? isActive }
  return Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined)) as ScimUser
}

type Where = 'of a body' | 'of a patch'

/** Does one operation. Without a path, the value names the attributes, also as "name.givenName" and "urn:…:User:department". */
function merge(draft: Draft, { op, path, value }: PatchOperation, where: Where): void {
  if (path === undefined) {
    if (!isObject(value))
      throw new ScimProblem('invalidValue', 'Without a path, the value must be an object with attributes.')
    for (const [name, one] of Object.entries(value)) merge(draft, { op, path: name, value: one }, 'of a body')
    return
  }
  const target = parsePatchPath(path)
  if (target.schema === 'other') return
  if (target.attribute === undefined) {
    mergeSchema(draft, op, target, value)
    return
  }
  const isEnterprise = target.schema === 'enterprise'
  const attribute = attributeNamed(isEnterprise ? ENTERPRISE_ATTRIBUTES : USER_ATTRIBUTES, target.attribute)
  if (!attribute || attribute.isReadOnly) {
    refuseUnknown(target.attribute, attribute, where, isEnterprise)
    return
  }
  const holder = isEnterprise ? { ...(draft[ENTERPRISE_SCHEMA] as object | undefined) } : draft
  change(holder as Draft, attribute, { op, path, value }, target)
  if (isEnterprise) draft[ENTERPRISE_SCHEMA] = withValues(holder as Draft)
}

/** The enterprise extension as a whole, or the core schema, which is the resource itself. */
function mergeSchema(draft: Draft, op: PatchOperation['op'], { schema }: AttributePath, value: unknown): void {
  if (op === 'remove') {
    if (schema !== 'enterprise') refuse('mutability', 'The whole resource cannot be removed by PATCH.')
    draft[ENTERPRISE_SCHEMA] = undefined
    return
  }
  if (value === null || value === undefined) return
  if (!isObject(value))
    throw new ScimProblem('invalidValue', 'The value of a schema must be an object with attributes.')
  const urn = schema === 'enterprise' ? `${ENTERPRISE_SCHEMA}:` : ''
  for (const [name, one] of Object.entries(value)) merge(draft, { op, path: `${urn}${name}`, value: one }, 'of a body')
}

const ALWAYS_READ_ONLY = ['id', 'meta', 'schemas', 'groups']

/** Bodies carry what their directory has. A path of a patch is meant, so a wrong one is refused. */
function refuseUnknown(name: string, attribute: ScimAttribute | undefined, where: Where, isEnterprise: boolean): void {
  if (where === 'of a body') return
  if (attribute?.isReadOnly || (!isEnterprise && ALWAYS_READ_ONLY.includes(name.toLowerCase())))
    refuse('mutability', `${shown(name)} cannot be changed.`)
  if (isEnterprise || !isNotKept(name)) refuse('invalidPath', `There is no attribute "${shown(name)}".`)
}

type Target = ReturnType<typeof parsePatchPath>

function change(holder: Draft, attribute: ScimAttribute, { op, value }: PatchOperation, target: Target): void {
  const { name } = attribute
  if (attribute.isList) {
    holder[name] = changedList(attribute, (holder[name] ?? []) as readonly JsonObject[], { op, value }, target)
    return
  }
  if (target.elements !== undefined) refuse('invalidPath', `${name} has no elements.`)
  if (target.part !== undefined) {
    const part = partNamed(attribute, target.part)
    const given = op === 'remove' ? undefined : readValue({ ...part, name: `${name}.${part.name}` }, value)
    holder[name] = withValues({ ...(holder[name] as object | undefined), [part.name]: given })
    return
  }
  if (op === 'remove') {
    holder[name] = undefined
    return
  }
  const read = readValue(attribute, value)
  // A complex value changes the parts that it names. One without any clears the attribute.
  holder[name] = attribute.type === 'complex' && isObject(read) ? { ...(holder[name] as object), ...read } : read
}

function partNamed({ name, parts = [] }: ScimAttribute, part: string): ScimAttribute {
  return attributeNamed(parts, part) ?? refuse('invalidPath', `${name} has no part "${shown(part)}".`)
}

function withValues(parts: Draft): Draft | undefined {
  const kept = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
  return Object.keys(kept).length > 0 ? kept : undefined
}

type Change = Pick<PatchOperation, 'op' | 'value'>

function changedList(
  attribute: ScimAttribute,
  elements: readonly JsonObject[],
  { op, value }: Change,
  target: Target,
): readonly JsonObject[] | undefined {
  const part = target.ofElements ?? target.part
  if (target.elements !== undefined || part !== undefined) {
    const tests = target.elements === undefined ? [] : testsOf(EMAIL_FIELD, target.elements)
    return orNone(changedElements(attribute, elements, { op, value }, { tests, part }))
  }
  if (op === 'remove') return orNone(removedValues(attribute, elements, value))
  const read = (readValue(attribute, value) ?? []) as readonly JsonObject[]
  return orNone(op === 'replace' ? oneIsPrimary([], read) : oneIsPrimary(elements, read))
}

/** Without a value the whole list goes; a value names what goes. */
function removedValues(attribute: ScimAttribute, elements: readonly JsonObject[], value: unknown) {
  if (value === undefined || value === null) return []
  const gone = ((readValue(attribute, value) ?? []) as readonly JsonObject[]).map((one) => one.value)
  return elements.filter((one) => !gone.includes(one.value))
}

const orNone = (elements: readonly JsonObject[]) => (elements.length > 0 ? elements : undefined)

/** Adds elements. One with the value and type of another replaces it, and a new primary one is the only primary one. */
function oneIsPrimary(elements: readonly JsonObject[], added: readonly JsonObject[]): readonly JsonObject[] {
  const isSame = (one: JsonObject, other: JsonObject) => one.value === other.value && one.type === other.type
  const others = elements.filter((one) => !added.some((other) => isSame(one, other)))
  const primary = added.findLast((one) => one.primary === true)
  const demoted = (one: JsonObject) =>
    primary && one !== primary && one.primary === true ? { ...one, primary: false } : one
  return [...others, ...added].map(demoted)
}

type Chosen = { readonly tests: readonly PartTest[]; readonly part: string | undefined }

function changedElements(
  attribute: ScimAttribute,
  elements: readonly JsonObject[],
  { op, value }: Change,
  { tests, part }: Chosen,
): readonly JsonObject[] {
  const isChosen = (element: JsonObject) => meetsAll(EMAIL_FIELD, tests, element)
  const known = part === undefined ? undefined : partNamed(attribute, part)
  if (op === 'remove' && !known) return elements.filter((element) => !isChosen(element))
  const given = known
    ? { [known.name]: op === 'remove' ? undefined : readValue(known, value) }
    : readElement(attribute, value)
  const changed = (element: JsonObject): JsonObject[] => {
    const kept = withValues({ ...element, ...given })
    return kept ? [kept] : []
  }
  if (elements.some(isChosen) || op === 'remove')
    return elements.flatMap((element) => (isChosen(element) ? changed(element) : [element]))
  // Providers add a part of an element that is not there yet: the tests say what else it is.
  const wanted = Object.fromEntries(
    tests.flatMap(({ part: name, test }) =>
      name !== undefined && test.op === 'eq' && test.value !== null ? [[name, test.value]] : [],
    ),
  )
  return given ? oneIsPrimary(elements, [{ ...wanted, ...given }]) : elements
}

/**
 * The address by which the portal knows a person: the primary one, one for work, any other, or the user name if it is one;
 * undefined if there is none, and then the person gets no access.
 */
export function emailOf({ emails = [], userName }: Pick<ScimUser, 'emails' | 'userName'>): string | undefined {
  const sorted = [
    ...emails.filter(({ primary }) => primary),
    ...emails.filter(({ type }) => type?.toLowerCase() === 'work'),
    ...emails,
    { value: userName },
  ]
  for (const { value } of sorted) {
    const email = value === undefined ? undefined : readEmail(value)
    if (email !== undefined) return email
  }
  return undefined
}
