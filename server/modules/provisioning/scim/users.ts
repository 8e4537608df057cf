import type { Kysely } from 'kysely'
import { readOperations } from '#domain/provisioning/patch-operations.ts'
import { USER_FILTER_FIELDS } from '#domain/provisioning/scim-filter.ts'
import {
  isWanted,
  listResource,
  locationOf,
  type Projection,
  project,
  tagOf,
  userResource,
} from '#domain/provisioning/scim-resources.ts'
import { patchUser, readUser, type ScimUser } from '#domain/provisioning/scim-user.ts'
import type { JsonObject } from '#domain/provisioning/scim-values.ts'
import type { DB } from '#server/db/schema.ts'
import { WireAnswer } from '#server/http/envelope.ts'
import { ScimError } from '#server/http/http-error.ts'
import { lockAccount } from '#server/modules/accounts/accounts.public.ts'
import { endAccess } from '#server/modules/leavers/leavers.public.ts'
import { applyAccess } from '#server/modules/provisioning/access/apply-access.ts'
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
import {
  deleteUser,
  findUser,
  hasActiveUser,
  insertUser,
  type KeptUser,
  listGroupsOf,
  listUsers,
  updateUser,
} from '#server/modules/provisioning/scim/users.queries.ts'

export async function searchUsers(act: ScimReading, request: ScimRequest): Promise<WireAnswer> {
  const { filter, startIndex, count, projection } = readListQuery(request, USER_FILTER_FIELDS)
  const page = { offset: startIndex - 1, limit: count }
  const { users, total } = await listUsers(act.db, act.customerNumber, filter, page)
  return new WireAnswer(200, listResource(await toResources(act, users, projection), total, startIndex))
}

export async function readOneUser(act: ScimReading, request: ScimRequest): Promise<WireAnswer> {
  const found = await requireUser(act.db, act.customerNumber, request.id)
  const headers = { etag: tagOf(found.kept) }
  if (isUnchanged(request, found.kept)) return new WireAnswer(304, undefined, headers)
  return new WireAnswer(200, await toResource(act, found, projectionIn(request)), headers)
}

export async function createUser(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const { db, customerNumber, now, base } = act
  const user = understood(() => readUser(request.body))
  await lockAccount(db, customerNumber)
  const id = await insertUser(db, customerNumber, user, now)
  if (id === undefined) throw nameTaken(user)
  const created = await requireUser(db, customerNumber, id)
  await act.audit({ target: id, after: user })
  await follow(act, [created.email])
  const headers = { etag: tagOf(created.kept), location: locationOf('User', id, base) }
  return new WireAnswer(201, await toResource(act, created, projectionIn(request)), headers)
}

export async function replaceUser(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const { changed } = await change(act, request, (current) => readUser(request.body, current))
  return new WireAnswer(200, await toResource(act, changed, projectionIn(request)), { etag: tagOf(changed.kept) })
}

/** Answered without a body, unless the request asks for attributes. */
export async function updateOneUser(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const { changed } = await change(act, request, (current) => patchUser(current, readOperations(request.body)))
  const projection = projectionIn(request)
  const headers = { etag: tagOf(changed.kept) }
  return projection.attributes || projection.excludedAttributes
    ? new WireAnswer(200, await toResource(act, changed, projection), headers)
    : new WireAnswer(204, undefined, headers)
}

export async function removeUser(act: ScimWriting, request: ScimRequest): Promise<WireAnswer> {
  const { db, customerNumber } = act
  await lockAccount(db, customerNumber)
  const { user, email, kept } = await requireUser(db, customerNumber, request.id)
  requireVersion(request, kept)
  await deleteUser(db, customerNumber, kept.id)
  await act.audit({ target: kept.id, before: user })
  await follow(act, [email])
  return new WireAnswer(204)
}

async function change(
  act: ScimWriting,
  request: ScimRequest,
  changeOf: (current: ScimUser) => ScimUser,
): Promise<{ changed: KeptUser }> {
  const { db, customerNumber, now } = act
  await lockAccount(db, customerNumber)
  const current = await requireUser(db, customerNumber, request.id)
  requireVersion(request, current.kept)
  const user = understood(() => changeOf(current.user))
  // Providers send again what is there already, every day and for everybody.
  if (sameUser(user, current.user)) return { changed: current }
  const { id } = current.kept
  if (!(await updateUser(db, customerNumber, id, user, now))) throw nameTaken(user)
  const changed = await requireUser(db, customerNumber, id)
  await act.audit({ target: id, before: current.user, after: changed.user })
  await follow(act, [changed.email, current.email])
  return { changed }
}

/** What is stored of both is equal, in whatever order. */
const sameUser = (one: ScimUser, other: ScimUser) => inOrder(one) === inOrder(other)
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const nameTaken = ({ userName }: ScimUser) =>
  new ScimError(409, `There is a user with the userName ${userName} already.`, 'uniqueness')

/** Who is active gets what their groups say, and who is not leaves. Those who come first, so that an administrator may change the address. */
async function follow(act: ScimWriting, addresses: readonly (string | null)[]): Promise<void> {
  const { db, services, customerNumber, by } = act
  const emails = [...new Set(addresses.filter((email) => email !== null))]
  const leaving: string[] = []
  for (const email of emails) if (!(await hasActiveUser(db, customerNumber, email))) leaving.push(email)
  const staying = emails.filter((email) => !leaving.includes(email))
  if (staying.length > 0) await applyAccess(db, services, { customerNumber, emails: staying }, by)
  for (const email of leaving)
    await endAccess(db, services, { customerNumber, email, reason: 'the identity provider reports no active user' }, by)
}

async function requireUser(db: Kysely<DB>, customerNumber: string, id: string | undefined): Promise<KeptUser> {
  const found = id === undefined ? undefined : await findUser(db, customerNumber, id)
  if (!found) throw noSuch('user', id)
  return found
}

async function toResource(act: ScimReading, user: KeptUser, projection: Projection): Promise<JsonObject> {
  const [resource] = await toResources(act, [user], projection)
  return resource as JsonObject
}

async function toResources(
  { db, customerNumber, base }: ScimReading,
  users: readonly KeptUser[],
  projection: Projection,
): Promise<JsonObject[]> {
  const ids = users.map(({ kept }) => kept.id)
  const groups = isWanted('groups', projection) ? await listGroupsOf(db, customerNumber, ids) : new Map()
  return users.map(({ user, kept }) => project(userResource(user, groups.get(kept.id) ?? [], kept, base), projection))
}
