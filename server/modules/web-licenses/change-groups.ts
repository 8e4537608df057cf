import type {
  createWebGroup as Create,
  deleteWebGroup as Delete,
  changeWebGroupMembers as Members,
  renameWebGroup as Rename,
} from '#contract/web-licenses/web-groups.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { MANAGED_MEMBER, MAPPED_GROUP } from '#domain/provisioning/managed.ts'
import { decideSeatClaims } from '#domain/web-licenses/seats.ts'
import { groupKey, groupNameError, readName } from '#domain/web-licenses/web-user.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { lockAccount } from '#server/modules/accounts/accounts.public.ts'
import { isMappedWebGroup, listManagedMembers } from '#server/modules/provisioning/provisioning.public.ts'
import { listEntitlementsOfGroup } from '#server/modules/web-licenses/assignments.queries.ts'
import type { WebCall } from '#server/modules/web-licenses/change-users.ts'
import {
  lineResult,
  lockSeatEntitlements,
  NO_SUCH_USER,
  readEmails,
  refuseIfAllRefused,
} from '#server/modules/web-licenses/seat-claims.ts'
import { insertSeats, releaseSeats } from '#server/modules/web-licenses/seats.queries.ts'
import {
  deleteGroup,
  deleteMembers,
  type Group,
  insertGroup,
  insertMembers,
  listGroups,
  renameGroup,
} from '#server/modules/web-licenses/web-groups.queries.ts'
import { listWebUsers } from '#server/modules/web-licenses/web-users.queries.ts'
import type { Handler, Result } from '#server/operations/route.ts'

export const createWebGroup: Handler<typeof Create> = async (call) => {
  const { actor, body, db, now, standing } = call
  const name = nameOf(body.name)
  const groupId = await insertGroup(db, standing.customerNumber, name, { by: actor.email, at: now })
  if (groupId === undefined) throw nameTaken(name.name)
  await call.audit({ target: groupId, after: { name: name.name } })
  return { data: { groupId, name: name.name } }
}

export const renameWebGroup: Handler<typeof Rename> = async (call) => {
  const { body, db, standing } = call
  const name = nameOf(body.name)
  await lockAccount(db, standing.customerNumber)
  const group = await loadGroup(call)
  if (!(await renameGroup(db, standing.customerNumber, group.groupId, name))) throw nameTaken(name.name)
  await call.audit({ target: group.groupId, before: { name: group.name }, after: { name: name.name } })
  return { data: { groupId: group.groupId, name: name.name } }
}

export const deleteWebGroup: Handler<typeof Delete> = async (call) => {
  const { db, now, standing } = call
  const { customerNumber } = standing
  await lockAccount(db, customerNumber)
  const group = await loadGroup(call)
  if (await isMappedWebGroup(db, customerNumber, group.groupId))
    throw new BusinessRefusal('MANAGED_BY_SCIM', MAPPED_GROUP)
  const activationIds = await listActivationIds(call, group)
  await lockSeatEntitlements(db, customerNumber, activationIds)
  await deleteGroup(db, customerNumber, group.groupId)
  const endedCheckouts = await releaseSeats(db, customerNumber, { activationIds, emails: group.members }, now)
  const { groupId, ...before } = group
  await call.audit({ target: groupId, before: { ...before, activationIds }, after: { endedCheckouts } })
  return { data: null, endedCheckouts }
}

export async function changeWebGroupMembers(call: WebCall<typeof Members>): Promise<Result<typeof Members>> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const [add, remove] = [readEmails(body.add), readEmails(body.remove)]
  if (add.length + remove.length === 0) throw new HttpError(400, 'body.add or body.remove must name somebody')
  if (add.some((email) => remove.includes(email)))
    throw new HttpError(400, 'body.add and body.remove must not name the same user')
  await lockAccount(db, customerNumber)
  const group = await loadGroup(call)
  const members = new Set(group.members)
  const activationIds = await listActivationIds(call, group)
  await lockSeatEntitlements(db, customerNumber, activationIds)

  // Members leave first, so that their seats are free for new members.
  const managed = actor.isProvider
    ? new Set<string>()
    : await listManagedMembers(db, customerNumber, group.groupId, remove)
  const leaving = remove.filter((email) => members.has(email) && !managed.has(email))
  await deleteMembers(db, customerNumber, group.groupId, leaving)
  const endedCheckouts = await releaseSeats(db, customerNumber, { activationIds, emails: leaving }, now)

  const users = await listWebUsers(db, customerNumber, add)
  const entitlements = await lockSeatEntitlements(db, customerNumber, activationIds)
  // An entitlement that was withdrawn since has no seats that anybody could need.
  const claimed = activationIds.filter((id) => entitlements.has(id))
  const claims = add.map((email) => ({ activationIds: [], ofGroups: claimed, users: [email] }))
  const decisions = decideSeatClaims(entitlements, claims, dayIn(timeZone, now))
  const results = [
    ...add.map((email, at) => {
      const refusal = users.has(email) ? decisions[at] : NO_SUCH_USER
      return { email, changed: !refusal && !members.has(email), ...lineResult(refusal) }
    }),
    ...remove.map((email) => ({
      email,
      changed: leaving.includes(email),
      ...lineResult(managed.has(email) ? { code: 'MANAGED_BY_SCIM', err: MANAGED_MEMBER } : undefined),
    })),
  ]
  refuseIfAllRefused(results)
  const coming = results.filter(({ email, changed }) => changed && !remove.includes(email)).map(({ email }) => email)
  await insertMembers(
    db,
    customerNumber,
    coming.map((email) => ({ groupId: group.groupId, email })),
  )
  const seats = coming.flatMap((email) => claimed.map((activationId) => ({ activationId, email })))
  await insertSeats(db, customerNumber, seats, now)
  if (coming.length + leaving.length > 0)
    await call.audit({
      target: group.groupId,
      before: { removed: leaving },
      after: { name: group.name, added: coming, endedCheckouts },
    })
  return { data: results, endedCheckouts }
}

function nameOf(text: string) {
  const problem = groupNameError(text)
  if (problem) throw new BusinessRefusal('INVALID_NAME', problem)
  return { name: readName(text), key: groupKey(text) }
}

const nameTaken = (name: string) => new BusinessRefusal('NAME_TAKEN', `The account has a group "${name}" already.`)

type GroupCall = Pick<WebCall<typeof Rename | typeof Delete | typeof Members>, 'body' | 'db' | 'standing'>

async function loadGroup({ body, db, standing }: GroupCall): Promise<Group> {
  const [group] = await listGroups(db, standing.customerNumber, [body.groupId])
  if (!group) throw new HttpError(404, 'No such group')
  return group
}

async function listActivationIds({ db, standing }: GroupCall, { groupId }: Group): Promise<string[]> {
  const assigned = await listEntitlementsOfGroup(db, standing.customerNumber, [groupId])
  return assigned.map(({ activationId }) => activationId)
}
