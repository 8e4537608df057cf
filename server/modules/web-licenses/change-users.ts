import type { Operation } from '#contract/kit/operation.ts'
import type { deleteWebUsers as Delete, saveWebUsers as Save, SavedUserLine } from '#contract/web-licenses/web-users.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { MANAGED_PERSON } from '#domain/provisioning/managed.ts'
import { EMAIL_FORMAT, EMAIL_REQUIRED, readEmail } from '#domain/settings/email-address.ts'
import { decideSeatClaims, type SeatClaim } from '#domain/web-licenses/seats.ts'
import { groupKey, readName, userNameError } from '#domain/web-licenses/web-user.ts'
import type { Refusal } from '#server/http/http-error.ts'
import { lockAccount } from '#server/modules/accounts/accounts.public.ts'
import { listManagedUsers } from '#server/modules/provisioning/provisioning.public.ts'
import {
  insertUserAssignments,
  listEntitlementsOfGroup,
  listUserAssignments,
} from '#server/modules/web-licenses/assignments.queries.ts'
import {
  lineResult,
  lockSeatEntitlements,
  NO_SUCH_USER,
  readEmails,
  refuseIfAllRefused,
} from '#server/modules/web-licenses/seat-claims.ts'
import { insertSeats } from '#server/modules/web-licenses/seats.queries.ts'
import { type Group, insertMembers, listGroups } from '#server/modules/web-licenses/web-groups.queries.ts'
import {
  deleteWebUsers as deleteUsers,
  listWebUsers,
  saveWebUsers as saveUsers,
} from '#server/modules/web-licenses/web-users.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

type SentUser = Call<typeof Save>['body']['users'][number]
type ReadUser = {
  readonly email: string
  readonly name: string
  readonly groups: readonly Group[]
  readonly entitlements: readonly string[]
  readonly refusal: Refusal | undefined
}

/** What these use cases need of a call, so that others can do them in a transaction of their own. */
export type WebCall<O extends Operation> = Pick<Call<O>, 'actor' | 'audit' | 'body' | 'db' | 'now' | 'timeZone'> & {
  readonly standing: { readonly customerNumber: string }
}

/** A dry run decides everything and writes nothing, so that the preview says what the import does. */
export async function saveWebUsers(call: WebCall<typeof Save>): Promise<Result<typeof Save>> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  await lockAccount(db, customerNumber)
  const needsGroups = body.users.some(({ groups = [] }) => groups.length > 0)
  const groups = needsGroups ? await listGroups(db, customerNumber) : []
  const read = readUsers(body.users, groups)
  const names = await listWebUsers(
    db,
    customerNumber,
    read.map(({ email }) => email),
  )
  const users = await refuseManagedNames(call, read, names)
  const joined = users.map(({ email, groups: wanted }) => wanted.filter(({ members }) => !members.includes(email)))
  const entitlementsOf = await loadEntitlementsOf(call, joined.flat())
  const named = [...new Set(users.flatMap((user) => user.entitlements))]
  const assigned = await loadAssigned(call, named)
  const entitlements = await lockSeatEntitlements(db, customerNumber, [
    ...[...entitlementsOf.values()].flat(),
    ...named,
  ])
  const claims = users.map(({ email, entitlements: wanted, refusal }, at): SeatClaim => {
    if (refusal) return { activationIds: [], users: [email] }
    const ids = (joined[at] ?? []).flatMap(({ groupId }) => entitlementsOf.get(groupId) ?? [])
    const ofGroups = [...new Set(ids)].filter((id) => entitlements.has(id))
    return { activationIds: wanted.filter((id) => !assigned.has(`${id} ${email}`)), ofGroups, users: [email] }
  })
  const decisions = decideSeatClaims(entitlements, claims, dayIn(timeZone, now))
  const lines = users.map(({ email, name, entitlements: wanted, refusal }, at): SavedUserLine => {
    const refused = refusal ?? unknownEntitlement(wanted, entitlements) ?? decisions[at]
    const known = names.get(email)
    const joins = refused ? [] : (joined[at] ?? []).map((group) => group.name)
    const assigns = refused ? [] : (claims[at]?.activationIds ?? [])
    const renamedFrom = !refused && known !== undefined && name !== '' && known !== name ? known : null
    const isChanged = renamedFrom !== null || joins.length > 0 || assigns.length > 0
    const change = refused ? 'none' : known === undefined ? 'add' : isChanged ? 'update' : 'none'
    const products = assigns.map((id) => ({ activationId: id, product: entitlements.get(id)?.product ?? '' }))
    return { email, change, renamedFrom, joins, assigns: products, ...lineResult(refused) }
  })
  if (body.dryRun) return { data: lines }
  refuseIfAllRefused(lines)

  const signed = { by: actor.email, at: now }
  const done = users.flatMap((user, at) => (lines[at]?.change === 'none' ? [] : [{ ...user, at }]))
  const saved = done.map(({ email, name }) => ({ email, name: name || (names.get(email) ?? '') }))
  await saveUsers(db, customerNumber, saved, signed)
  const memberships = done.flatMap(({ email, at }) => (joined[at] ?? []).map(({ groupId }) => ({ groupId, email })))
  await insertMembers(db, customerNumber, memberships)
  const pairs = (email: string, ids: readonly string[] = []) => ids.map((activationId) => ({ activationId, email }))
  const direct = done.flatMap(({ email, at }) => pairs(email, claims[at]?.activationIds))
  await insertUserAssignments(db, customerNumber, direct, signed)
  const throughGroups = done.flatMap(({ email, at }) => pairs(email, claims[at]?.ofGroups))
  await insertSeats(db, customerNumber, [...direct, ...throughGroups], now)
  if (done.length > 0)
    await call.audit({
      after: done.map(({ email, name, at }) => ({
        email,
        name,
        change: lines[at]?.change,
        renamedFrom: lines[at]?.renamedFrom,
        joins: lines[at]?.joins,
        assigns: lines[at]?.assigns.map(({ activationId }) => activationId),
      })),
    })
  return { data: lines }
}

const NOBODY: ReadonlySet<string> = new Set()
const MANAGED: Refusal = { code: 'MANAGED_BY_SCIM', err: MANAGED_PERSON }

/** The identity provider names its people. They still join groups and get entitlements here. */
async function refuseManagedNames(
  { actor, db, standing }: WebCall<typeof Save>,
  users: readonly ReadUser[],
  names: ReadonlyMap<string, string>,
): Promise<ReadUser[]> {
  const isRenamed = ({ email, name }: ReadUser) => name !== '' && names.has(email) && names.get(email) !== name
  if (actor.isProvider) return [...users]
  const renamed = users.filter(isRenamed).map(({ email }) => email)
  const managed = await listManagedUsers(db, standing.customerNumber, renamed)
  return users.map((user) => (isRenamed(user) && managed.has(user.email) ? { ...user, refusal: MANAGED } : user))
}

function unknownEntitlement(wanted: readonly string[], known: ReadonlyMap<string, unknown>): Refusal | undefined {
  const unknown = wanted.find((id) => !known.has(id))
  if (unknown === undefined) return undefined
  return { code: 'NO_SUCH_ACTIVATION', err: `The account has no web entitlement "${unknown}".` }
}

/** Existing assignments by name, as "activation id email". */
async function loadAssigned({ db, standing }: WebCall<typeof Save>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await listUserAssignments(db, standing.customerNumber, ids)
  return new Set(found.map(({ activationId, email }) => `${activationId} ${email}`))
}

/** Errors of a line itself; whether there are seats is checked afterwards. */
function readUsers(sent: readonly SentUser[], groups: readonly Group[]): ReadUser[] {
  const byKey = new Map(groups.map((group) => [groupKey(group.name), group]))
  const seen = new Set<string>()
  return sent.map(({ email: text, name: typed = '', groups: wanted = [], entitlements = [] }) => {
    const email = readEmail(text)
    const name = readName(typed)
    const unknown = wanted.find((one) => !byKey.has(groupKey(one)))
    const problem = (): Refusal | undefined => {
      if (email === undefined) return { code: 'INVALID_EMAIL', err: text.trim() === '' ? EMAIL_REQUIRED : EMAIL_FORMAT }
      if (seen.has(email)) return { code: 'DUPLICATE_USER', err: 'This user was named before.' }
      const wrong = userNameError(typed)
      if (wrong) return { code: 'INVALID_NAME', err: wrong }
      return unknown === undefined
        ? undefined
        : { code: 'NO_SUCH_GROUP', err: `There is no group "${readName(unknown)}". Create it first.` }
    }
    const refusal = problem()
    if (email !== undefined) seen.add(email)
    const found = [...new Set(wanted.flatMap((one) => byKey.get(groupKey(one)) ?? []))]
    return { email: email ?? text, name, groups: found, entitlements: [...new Set(entitlements)], refusal }
  })
}

async function loadEntitlementsOf(
  { db, standing }: WebCall<typeof Save>,
  groups: readonly Group[],
): Promise<Map<string, string[]>> {
  const ids = [...new Set(groups.map(({ groupId }) => groupId))]
  const found = Map.groupBy(await listEntitlementsOfGroup(db, standing.customerNumber, ids), ({ groupId }) => groupId)
  return new Map([...found].map(([groupId, pairs]) => [groupId, pairs.map(({ activationId }) => activationId)]))
}

export async function deleteWebUsers(call: WebCall<typeof Delete>): Promise<Result<typeof Delete>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const emails = readEmails(body.emails)
  await lockAccount(db, customerNumber)
  const known = await listWebUsers(db, customerNumber, emails)
  const managed = actor.isProvider ? NOBODY : await listManagedUsers(db, customerNumber, emails)
  const gone = [...known].filter(([email]) => !managed.has(email)).map(([email, name]) => ({ email, name }))
  const lines = emails.map((email) => ({
    email,
    changed: gone.some((one) => one.email === email),
    ...lineResult(managed.has(email) ? MANAGED : known.has(email) ? undefined : NO_SUCH_USER),
  }))
  refuseIfAllRefused(lines)
  const endedCheckouts = await deleteUsers(
    db,
    customerNumber,
    gone.map(({ email }) => email),
    now,
  )
  await call.audit({
    before: gone,
    after: { endedCheckouts },
  })
  return { data: lines, endedCheckouts }
}
