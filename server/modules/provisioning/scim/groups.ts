import type { Kysely } from 'kysely'
import { readOperations } from '#domain/provisioning/patch-operations.ts'
import { GROUP_FILTER_FIELDS } from '#domain/provisioning/scim-filter.ts'
import { type MemberChange, NO_CHANGE, patchGroup, readGroup, type ScimGroup } from '#domain/provisioning/scim-group.ts'
import {
  groupResource,
  isWanted,
  listResource,
  locationOf,
  type Projection,
  project,
  tagOf,
} from '#domain/provisioning/scim-resources.ts'
import type { JsonObject } from '#domain/provisioning/scim-values.ts'
import type { DB } from '#server/db/schema.ts'
import { WireAnswer } from '#server/http/envelope.ts'
import { ScimError } from '#server/http/http-error.ts'
import { lockAccount } from '#server/modules/accounts/accounts.public.ts'
import { applyAccess } from '#server/modules/provisioning/access/apply-access.ts'
import {
  changeMembers,
  deleteGroup,
  findGroup,
  insertGroup,
  isMapped,
  type KeptGroup,
  listEmailsOf,
  listGroups,
  listMembers,
  listUnknownUsers,
  updateGroup,
} from '#server/modules/provisioning/scim/groups.queries.ts'
import { projectionIn, readListQuery } from '#server/modules/provisioning/scim/list-query.ts'
import {
  isUnchanged,
  noSuch,
  requireVersion,
  type ScimReading,
  type ScimRequest,
  type ScimWriting,
  understood,
} from '#server/modules/provisioning/scim/scim-act.ts'

export async function searchGroups(act: ScimReading, request: ScimRequest): Promise<WireAnswer> {
  const { filter, startIndex, count, projection } = readListQuery(request, GROUP_FILTER_FIELDS)
  const page = { offset: startIndex - 1, limit: count }
  const { groups, total } = await listGroups(act.db, act.customerNumber, filter, page)
  return new WireAnswer(200, listResource(await toResources(act, groups, projection), total, startIndex))
}

export async function readOneGroup(act: ScimReading, request: ScimRequest): Promise<WireAnswer> {
  const found = await requireGroup(act.db, act.customerNumber, request.id)
  const headers = { etag: tagOf(found.kept) }
  if (isUnchanged(request, found.kept)) return new WireAnswer(304, undefined, headers)
  return new WireAnswer(200, await toResource(act, found, projectionIn(request)), headers)
}

export async function createGroup(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const { db, customerNumber, now, base } = act
  const { group, members = new Set<string>() } = understood(() => readGroup(request.body))
  await lockAccount(db, customerNumber)
  await refuseUnknown(act, members)
  const id = await insertGroup(db, customerNumber, group, now)
  const { added } = await changeMembers(db, customerNumber, id, { ...NO_CHANGE, add: members })
  await act.audit({ target: id, after: { ...group, members: added } })
  const created = await requireGroup(db, customerNumber, id)
  const headers = { etag: tagOf(created.kept), location: locationOf('Group', id, base) }
  return new WireAnswer(201, await toResource(act, created, projectionIn(request)), headers)
}

/** Without members in the body they stay, and the answer has them: a provider that leaves them out does not mean nobody. */
export async function replaceGroup(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const changed = await change(act, request, () => {
    const { group, members } = readGroup(request.body)
    return { group, members: members ? { isNew: true, add: members, remove: new Set() } : NO_CHANGE }
  })
  return new WireAnswer(200, await toResource(act, changed, projectionIn(request)), { etag: tagOf(changed.kept) })
}

/** Answered without a body, unless the request asks for attributes. */
export async function updateOneGroup(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const changed = await change(act, request, (current) => patchGroup(current, readOperations(request.body)))
  const projection = projectionIn(request)
  const headers = { etag: tagOf(changed.kept) }
  return projection.attributes || projection.excludedAttributes
    ? new WireAnswer(200, await toResource(act, changed, projection), headers)
    : new WireAnswer(204, undefined, headers)
}

export async function removeGroup(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const { db, services, customerNumber, by } = act
  await lockAccount(db, customerNumber)
  const { group, kept } = await requireGroup(db, customerNumber, request.id)
  requireVersion(request, kept)
  const gave = await isMapped(db, customerNumber, kept.id)
  const { removed } = await changeMembers(db, customerNumber, kept.id, { ...NO_CHANGE, isNew: true })
  await deleteGroup(db, customerNumber, kept.id)
  await act.audit({ target: kept.id, before: { ...group, members: removed } })
  const emails = gave ? await listEmailsOf(db, customerNumber, removed) : []
  if (emails.length > 0) await applyAccess(db, services, { customerNumber, emails }, by)
  return new WireAnswer(204)
}

type Change = { readonly group: ScimGroup; readonly members: MemberChange }

async function change(
  act: ScimWriting,
  request: ScimRequest,
  changeOf: (current: ScimGroup) => Change,
): Promise<KeptGroup> {
  const { db, services, customerNumber, now, by } = act
  await lockAccount(db, customerNumber)
  const current = await requireGroup(db, customerNumber, request.id)
  requireVersion(request, current.kept)
  const { group, members } = understood(() => changeOf(current.group))
  await refuseUnknown(act, members.add)
  const { id } = current.kept
  const { added, removed } = await changeMembers(db, customerNumber, id, members)
  const isRenamed = group.displayName !== current.group.displayName || group.externalId !== current.group.externalId
  // Providers send again what is there already.
  if (!isRenamed && added.length + removed.length === 0) return current
  await updateGroup(db, customerNumber, id, group, now)
  await act.audit({ target: id, before: { ...current.group, removed }, after: { ...group, added } })
  if (await isMapped(db, customerNumber, id)) {
    const emails = await listEmailsOf(db, customerNumber, [...added, ...removed])
    if (emails.length > 0) await applyAccess(db, services, { customerNumber, emails }, by)
  }
  return requireGroup(db, customerNumber, id)
}

async function refuseUnknown({ db, customerNumber }: ScimReading, ids: ReadonlySet<string>): Promise<void> {
  const unknown = await listUnknownUsers(db, customerNumber, [...ids])
  if (unknown.length > 0)
    throw new ScimError(400, `There is no user with the id ${unknown.join(', ').slice(0, 300)}.`, 'invalidValue')
}

async function requireGroup(db: Kysely<DB>, customerNumber: string, id: string | undefined): Promise<KeptGroup> {
  const found = id === undefined ? undefined : await findGroup(db, customerNumber, id)
  if (!found) throw noSuch('group', id)
  return found
}

async function toResource(act: ScimReading, group: KeptGroup, projection: Projection): Promise<JsonObject> {
  const [resource] = await toResources(act, [group], projection)
  return resource as JsonObject
}

async function toResources(
  { db, customerNumber, base }: ScimReading,
  groups: readonly KeptGroup[],
  projection: Projection,
): Promise<JsonObject[]> {
  const ids = groups.map(({ kept }) => kept.id)
  const members = isWanted('members', projection) ? await listMembers(db, customerNumber, ids) : undefined
  return groups.map(({ group, kept }) =>
    project(groupResource(group, members && (members.get(kept.id) ?? []), kept, base), projection),
  )
}
