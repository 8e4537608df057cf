import {
  type assignWebLicenses as Assign,
  type AssignmentLine,
  MAX_ASSIGNMENT_LINES,
  type unassignWebLicenses as Unassign,
} from '#contract/web-licenses/web-assignments.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { decideSeatClaims, NO_SUCH_ENTITLEMENT, type SeatClaim } from '#domain/web-licenses/seats.ts'
import { BatchRefusal, HttpError, type Refusal } from '#server/http/http-error.ts'
import { lockAccount } from '#server/modules/accounts/accounts.public.ts'
import {
  deleteGroupAssignments,
  deleteUserAssignments,
  type GroupPair,
  insertGroupAssignments,
  insertUserAssignments,
  listGroupAssignments,
  listUserAssignments,
} from '#server/modules/web-licenses/assignments.queries.ts'
import {
  lineResult,
  lockSeatEntitlements,
  NO_SUCH_GROUP,
  NO_SUCH_USER,
  readEmails,
  refuseIfAllRefused,
} from '#server/modules/web-licenses/seat-claims.ts'
import { insertSeats, listSeatUsers, releaseSeats, type SeatPair } from '#server/modules/web-licenses/seats.queries.ts'
import { type Group, listGroups } from '#server/modules/web-licenses/web-groups.queries.ts'
import { listWebUsers } from '#server/modules/web-licenses/web-users.queries.ts'
import type { Call, Handler } from '#server/operations/route.ts'

/** One entitlement and one user or group. */
type Line = { readonly activationId: string; readonly email?: string; readonly groupId?: string }

/** Locks the account's row, so that concurrent calls on one account are serialized. */
export const assignWebLicenses: Handler<typeof Assign> = async (call) => {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const lines = linesOf(body)
  await lockAccount(db, customerNumber)
  const taken = body.insteadOf === undefined ? undefined : await takeSeat(call, lines, body.insteadOf)
  const { users, groups } = await loadHolders(call, lines)
  const entitlements = await lockSeatEntitlements(db, customerNumber, body.activationIds)
  const present = await loadPresent(call)
  const claims = lines.map(({ activationId, email, groupId }): SeatClaim => {
    const group = groups.get(groupId ?? '')
    if (group) return { activationIds: [activationId], users: group.members, group: group.name }
    // A line whose user does not exist assigns nobody: it is refused below.
    return { activationIds: [activationId], users: email !== undefined && users.has(email) ? [email] : [] }
  })
  const decisions = decideSeatClaims(entitlements, claims, dayIn(timeZone, now))
  const results = lines.map((line, at): AssignmentLine => {
    const refusal = unknownHolder(line, users, groups) ?? decisions[at]
    return { ...line, changed: !refusal && !present.has(keyOf(line)), ...lineResult(refusal) }
  })
  refuseIfAllRefused(results)

  const done = results.filter(({ changed }) => changed)
  const signed = { by: actor.email, at: now }
  await insertUserAssignments(db, customerNumber, userPairs(done), signed)
  await insertGroupAssignments(db, customerNumber, groupPairs(done), signed)
  const seats = done.flatMap(({ activationId, email, groupId }) => {
    const emails = email === undefined ? (groups.get(groupId ?? '')?.members ?? []) : [email]
    return emails.map((one): SeatPair => ({ activationId, email: one }))
  })
  await insertSeats(db, customerNumber, seats, now)
  const assigned = done.map((line) => toAudited(line, entitlements))
  if (taken) await call.audit({ before: [taken.line], after: { assigned, endedCheckouts: taken.endedCheckouts } })
  else if (assigned.length > 0) await call.audit({ after: assigned })
  return { data: results }
}

const ONE_SEAT = 'body.insteadOf needs one entitlement and one other user'

/** Takes the seat that is to be moved. Whatever refuses the assignment later rolls this back. */
async function takeSeat(call: Call<typeof Assign>, lines: readonly Line[], insteadOf: string) {
  const { db, now, standing } = call
  const { customerNumber } = standing
  const [line, ...others] = lines
  const [email = ''] = readEmails([insteadOf])
  if (!line || others.length > 0 || line.email === undefined || line.email === email) throw new HttpError(400, ONE_SEAT)
  const from = { activationId: line.activationId, email }
  const { users } = await loadHolders(call, [from])
  const entitlements = await lockSeatEntitlements(db, customerNumber, [from.activationId])
  const present = await loadPresent(call)
  const seats = await listSeatUsers(db, customerNumber, [from.activationId])
  if (!present.has(keyOf(from))) refuse(unknownHolder(from, users, new Map()) ?? notAssigned(from, entitlements, seats))
  await deleteUserAssignments(db, customerNumber, [from])
  const scope = { activationIds: [from.activationId], emails: [email] }
  const endedCheckouts = await releaseSeats(db, customerNumber, scope, now)
  const left = await listSeatUsers(db, customerNumber, [from.activationId])
  if (left.get(from.activationId)?.has(email)) refuse(ASSIGNED_BY_GROUP)
  return { line: from, endedCheckouts }

  function refuse(refusal: Refusal): never {
    throw new BatchRefusal(refusal.code, refusal.err, [{ ...line, changed: false, ...lineResult(refusal) }])
  }
}

export const unassignWebLicenses: Handler<typeof Unassign> = async (call) => {
  const { body, db, now, standing } = call
  const { customerNumber } = standing
  const lines = linesOf(body)
  await lockAccount(db, customerNumber)
  const { users, groups } = await loadHolders(call, lines)
  const entitlements = await lockSeatEntitlements(db, customerNumber, body.activationIds)
  const present = await loadPresent(call)
  const seats = await listSeatUsers(db, customerNumber, body.activationIds)
  const results = lines.map((line): AssignmentLine => {
    const changed = present.has(keyOf(line))
    const refusal = changed ? undefined : (unknownHolder(line, users, groups) ?? notAssigned(line, entitlements, seats))
    return { ...line, changed, ...lineResult(refusal) }
  })
  refuseIfAllRefused(results)

  const done = results.filter(({ changed }) => changed)
  await deleteUserAssignments(db, customerNumber, userPairs(done))
  await deleteGroupAssignments(db, customerNumber, groupPairs(done))
  const activationIds = [...new Set(done.map(({ activationId }) => activationId))]
  const endedCheckouts = await releaseSeats(db, customerNumber, { activationIds }, now)
  if (done.length > 0)
    await call.audit({ before: done.map((line) => toAudited(line, entitlements)), after: { endedCheckouts } })
  return { data: results, unassigned: done.length, endedCheckouts }
}

const ASSIGNED_BY_GROUP: Refusal = {
  code: 'ASSIGNED_BY_GROUP',
  err: 'The user is assigned through a group. Remove the user from the group, or unassign the group.',
}

/** Why an assignment cannot be taken back. */
function notAssigned(
  { activationId, email }: Line,
  entitlements: ReadonlyMap<string, unknown>,
  seats: ReadonlyMap<string, ReadonlySet<string>>,
): Refusal {
  if (!entitlements.has(activationId)) return NO_SUCH_ENTITLEMENT
  if (email === undefined) return { code: 'NOT_ASSIGNED', err: 'The group is not assigned to this entitlement.' }
  if (seats.get(activationId)?.has(email)) return ASSIGNED_BY_GROUP
  return { code: 'NOT_ASSIGNED', err: 'The user is not assigned to this entitlement.' }
}

type AssignmentCall = Call<typeof Assign | typeof Unassign>

function linesOf({ activationIds, emails, groupIds = [] }: AssignmentCall['body']): Line[] {
  const holders = [
    ...readEmails(emails).map((email) => ({ email })),
    ...[...new Set(groupIds)].map((groupId) => ({ groupId })),
  ]
  if (holders.length === 0) throw new HttpError(400, 'body.emails or body.groupIds must name somebody')
  const lines = [...new Set(activationIds)].flatMap((activationId) => holders.map((one) => ({ activationId, ...one })))
  if (lines.length > MAX_ASSIGNMENT_LINES)
    throw new HttpError(400, `The request has ${lines.length} lines. Send ${MAX_ASSIGNMENT_LINES} at most.`)
  return lines
}

async function loadHolders({ db, standing }: AssignmentCall, lines: readonly Line[]) {
  const emails = [...new Set(lines.flatMap(({ email }) => email ?? []))]
  const groupIds = [...new Set(lines.flatMap(({ groupId }) => groupId ?? []))]
  const users = await listWebUsers(db, standing.customerNumber, emails)
  const groups = groupIds.length > 0 ? await listGroups(db, standing.customerNumber, groupIds) : []
  return { users, groups: new Map(groups.map((group) => [group.groupId, group])) }
}

const unknownHolder = (
  { email, groupId }: Line,
  users: ReadonlyMap<string, string>,
  groups: ReadonlyMap<string, Group>,
): Refusal | undefined => {
  if (email !== undefined) return users.has(email) ? undefined : NO_SUCH_USER
  return groups.has(groupId ?? '') ? undefined : NO_SUCH_GROUP
}

/** Existing assignments by line. */
async function loadPresent({ body, db, standing }: AssignmentCall): Promise<Set<string>> {
  const { customerNumber } = standing
  return new Set(
    [
      ...(await listUserAssignments(db, customerNumber, body.activationIds)),
      ...(await listGroupAssignments(db, customerNumber, body.activationIds)),
    ].map(keyOf),
  )
}

const keyOf = ({ activationId, email, groupId }: Line) => `${activationId} ${email ?? ''} ${groupId ?? ''}`
const userPairs = (lines: readonly Line[]): SeatPair[] =>
  lines.flatMap(({ activationId, email }) => (email === undefined ? [] : [{ activationId, email }]))
const groupPairs = (lines: readonly Line[]): GroupPair[] =>
  lines.flatMap(({ activationId, groupId }) => (groupId === undefined ? [] : [{ activationId, groupId }]))
const toAudited = (
  { activationId, email, groupId }: Line,
  entitlements: ReadonlyMap<string, { readonly product: string }>,
) => ({
  activationId,
  product: entitlements.get(activationId)?.product,
  ...(email ? { email } : { groupId }),
})
