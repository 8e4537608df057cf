import { shown } from '#domain/provisioning/attribute-path.ts'
import { type PatchOperation, parsePatchPath, testsOf } from '#domain/provisioning/patch-operations.ts'
import { MEMBER_FIELD } from '#domain/provisioning/scim-filter.ts'
import { refuse, ScimProblem } from '#domain/provisioning/scim-problem.ts'
import { attributeNamed, EXTERNAL_ID, GROUP_ATTRIBUTES } from '#domain/provisioning/scim-schema.ts'
import { isObject, type JsonObject, readValue } from '#domain/provisioning/scim-values.ts'

/** A group as the provider reports it, without its members. */
export type ScimGroup = { readonly displayName: string; readonly externalId?: string }

/** What becomes of the members. They are changed one by one, so that two changes at once lose nobody. */
export type MemberChange = {
  /** Nobody of those who are members now stays, except those who are added. */
  readonly isNew: boolean
  readonly add: ReadonlySet<string>
  readonly remove: ReadonlySet<string>
}

export const NO_CHANGE: MemberChange = { isNew: false, add: new Set(), remove: new Set() }

/** In one group, or named in one call. */
const MAX_MEMBERS = 20_000

const DISPLAY_NAME = GROUP_ATTRIBUTES[0] as (typeof GROUP_ATTRIBUTES)[number]

/** `members` is undefined where the body has none: then the members stay. */
export function readGroup(body: unknown): { group: ScimGroup; members: ReadonlySet<string> | undefined } {
  if (!isObject(body)) return refuse('invalidSyntax', 'The body must be an object.')
  let members: ReadonlySet<string> | undefined
  const draft: { displayName?: string; externalId?: string } = {}
  for (const [name, value] of Object.entries(body)) {
    const attribute = attributeNamed(GROUP_ATTRIBUTES, name)
    if (attribute?.name === 'members') members = new Set(memberIds(value))
    else if (attribute) draft[attribute.name as keyof ScimGroup] = readValue(attribute, value) as string
  }
  return { group: toGroup(draft), members }
}

function toGroup({ displayName, externalId }: Partial<Record<keyof ScimGroup, string | undefined>>): ScimGroup {
  if (displayName === undefined) return refuse('invalidValue', 'displayName is required.')
  return { displayName, ...(externalId === undefined ? {} : { externalId }) }
}

export function patchGroup(
  group: ScimGroup,
  operations: readonly PatchOperation[],
): { group: ScimGroup; members: MemberChange } {
  const draft: { displayName?: string | undefined; externalId?: string | undefined } = { ...group }
  let members = NO_CHANGE
  const merge = ({ op, path, value }: PatchOperation, isNamed: boolean): void => {
    if (path === undefined) {
      if (!isObject(value))
        throw new ScimProblem('invalidValue', 'Without a path, the value must be an object with attributes.')
      for (const [name, one] of Object.entries(value)) merge({ op, path: name, value: one }, false)
      return
    }
    const target = parsePatchPath(path)
    const name = target.schema === 'core' ? target.attribute : undefined
    const attribute = name === undefined ? undefined : attributeNamed(GROUP_ATTRIBUTES, name)
    if (!attribute) {
      if (isNamed && name?.toLowerCase() === 'id') refuse('mutability', 'id cannot be changed.')
      if (isNamed) refuse('invalidPath', `There is no attribute "${shown(path)}".`)
      return
    }
    if (attribute.name === 'members') {
      members = changedMembers(members, { op, path, value }, target.elements)
      return
    }
    if (target.elements !== undefined || target.part !== undefined)
      refuse('invalidPath', `"${shown(path)}" is no path.`)
    const known = attribute.name === 'externalId' ? EXTERNAL_ID : DISPLAY_NAME
    draft[known.name as keyof ScimGroup] = op === 'remove' ? undefined : (readValue(known, value) as string | undefined)
  }
  for (const operation of operations) merge(operation, true)
  return { group: toGroup(draft), members }
}

function changedMembers(
  members: MemberChange,
  { op, value }: PatchOperation,
  elements: string | undefined,
): MemberChange {
  if (elements !== undefined) return changedByFilter(members, op, elements)
  const isEmpty = value === undefined || value === null
  if (op === 'remove')
    return isEmpty ? { isNew: true, add: new Set(), remove: new Set() } : without(members, memberIds(value))
  if (isEmpty) return refuse('invalidValue', 'members needs a value. Send [] with replace to remove everybody.')
  const ids = memberIds(value)
  if (op === 'add') return withMembers(members, ids)
  return { isNew: true, add: new Set(ids), remove: new Set() }
}

/** `members[value eq "…"]` names one member. */
function changedByFilter(members: MemberChange, op: PatchOperation['op'], elements: string): MemberChange {
  const ids = testsOf(MEMBER_FIELD, elements).map(({ test }) =>
    test.op === 'eq' && typeof test.value === 'string'
      ? test.value
      : refuse('invalidPath', 'A member is named by members[value eq "id"].'),
  )
  if (op === 'remove') return without(members, ids)
  return op === 'add' ? withMembers(members, ids) : refuse('invalidPath', 'A single member cannot be replaced.')
}

const withMembers = ({ isNew, add, remove }: MemberChange, ids: readonly string[]): MemberChange => ({
  isNew,
  add: new Set([...add, ...ids]),
  remove: difference(remove, ids),
})
const without = ({ isNew, add, remove }: MemberChange, ids: readonly string[]): MemberChange => ({
  isNew,
  add: difference(add, ids),
  remove: new Set([...remove, ...ids]),
})

function difference(set: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const gone = new Set(ids)
  return new Set([...set].filter((id) => !gone.has(id)))
}

/** Ids of people, as texts or as `{value: id}`, one or a list of them. The type may be missing. */
function memberIds(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  const members = Array.isArray(value) ? value : [value]
  if (members.length > MAX_MEMBERS) refuse('tooMany', `A call can name ${MAX_MEMBERS} members.`)
  return members.map((member) => {
    const fields: JsonObject = isObject(member)
      ? Object.fromEntries(Object.entries(member).map(([name, one]) => [name.toLowerCase(), one]))
      : { value: member }
    if (typeof fields.type === 'string' && fields.type.toLowerCase() === 'group')
      refuse('invalidValue', 'Members are people. Groups in groups are not supported.')
    const id = fields.value
    return typeof id === 'string' && id !== '' && id.length <= 200
      ? id
      : refuse('invalidValue', 'A member needs the id of a person in "value".')
  })
}
