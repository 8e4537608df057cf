import type { Kysely, Transaction } from 'kysely'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import { type AccessChange, accessChange, type Mapping } from '#domain/provisioning/wanted-access.ts'
import type { Contact } from '#domain/settings/contacts.ts'
import { MAX_NAME, readName } from '#domain/web-licenses/web-user.ts'
import { type AuditContext, type AuditEntry, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { BatchRefusal } from '#server/http/http-error.ts'
import { listContacts, loadAccount, lockAccount } from '#server/modules/accounts/accounts.public.ts'
import { refuseWithoutAdministrator } from '#server/modules/leavers/leavers.public.ts'
import { queueNotice } from '#server/modules/messages/messages.public.ts'
import { saveGiven } from '#server/modules/provisioning/access/given.queries.ts'
import { listMappings, listPeople, type NamedPerson } from '#server/modules/provisioning/access/people.queries.ts'
import { changeContacts } from '#server/modules/settings/settings.public.ts'
import { changeWebGroupMembers, saveWebUsers } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Services } from '#server/services.ts'

export type AccessPlan = {
  readonly people: readonly NamedPerson[]
  readonly changes: readonly AccessChange[]
}
/** A person who is to be in a web group and is not, because no seat is free. */
export type HeldBack = {
  readonly email: string
  readonly webGroupId: string
  readonly code: FailureCode
  readonly err: string
}

type About = { readonly emails?: readonly string[]; readonly mappings?: readonly Mapping[] }

/** What people from outside get by their groups, against what they have. Other mappings than the stored ones are a dry run. */
export async function planAccess(db: Kysely<DB>, customerNumber: string, about: About = {}): Promise<AccessPlan> {
  const mappings = about.mappings ?? (await listMappings(db, customerNumber))
  const byGroup = new Map(mappings.map((one) => [one.groupId, one]))
  const people = await listPeople(db, customerNumber, about.emails)
  return { people, changes: people.map((person) => accessChange(person, byGroup)) }
}

type Parts = Pick<Services, 'clock' | 'config'>
type Act = {
  readonly tx: Transaction<DB>
  readonly services: Parts
  readonly account: { readonly customerNumber: string; readonly name: string; readonly timeZone: string }
  readonly by: AuditContext
}

/**
 * Gives people from outside what their groups say, and takes what they no longer say, in the transaction of the change. It is done by
 * the use cases that people call, so that audit log and webhooks have it. Without emails, for everybody of the account.
 */
export async function applyAccess(
  tx: Transaction<DB>,
  services: Parts,
  { customerNumber, emails }: { readonly customerNumber: string; readonly emails?: readonly string[] },
  by: AuditContext,
): Promise<{ readonly heldBack: readonly HeldBack[] }> {
  await lockAccount(tx, customerNumber)
  const { name, time_zone: timeZone } = await loadAccount(tx, customerNumber)
  const act: Act = { tx, services, by, account: { customerNumber, name, timeZone } }
  const { people, changes } = await planAccess(tx, customerNumber, emails ? { emails } : {})
  await saveUsers(act, people)
  await changeRoles(act, changes)
  const heldBack = await changeGroups(act, changes)
  await saveGiven(tx, customerNumber, changes, by.at)
  return { heldBack }
}

/** What the use cases of web licenses need of a call. The provider may change what it manages. */
const webCall = ({ tx, account, by }: Act, action: AuditEntry['action']) => ({
  actor: { email: by.email, staff: new Set<never>(), isProvider: true as const },
  audit: (entry: Omit<AuditEntry, 'action'>) =>
    writeAudit(tx, by, { action, customerNumber: account.customerNumber, ...entry }),
  db: tx,
  now: by.at,
  standing: { customerNumber: account.customerNumber },
  timeZone: account.timeZone,
})

async function saveUsers(act: Act, people: readonly NamedPerson[]): Promise<void> {
  const users = people
    .map(({ email, name, webName }) => ({ email, webName, name: readName(readName(name).slice(0, MAX_NAME)) }))
    .filter(({ name, webName }) => webName === null || (name !== '' && name !== webName))
  if (users.length === 0) return
  const { customerNumber } = act.account
  const lines = users.map(({ email, name }) => ({ email, name }))
  await saveWebUsers({ ...webCall(act, 'web/users/save'), body: { customerNumber, users: lines } })
}

async function changeRoles(act: Act, changes: readonly AccessChange[]): Promise<void> {
  const { tx, services, account, by } = act
  const { customerNumber } = account
  const wanted = new Map(changes.flatMap(({ email, role }) => (role === undefined ? [] : [[email, role]])))
  if (wanted.size === 0) return
  const before = await listContacts(tx, customerNumber)
  const known = new Set(before.map(({ email }) => email))
  const kept = [...wanted].flatMap(([email, role]): Contact[] => (role === null ? [] : [{ email, role }]))
  const removed = before.filter(({ email }) => wanted.get(email) === null)
  const added = kept.filter(({ email }) => !known.has(email))
  refuseWithoutAdministrator(before, [...before.filter(({ email }) => !wanted.has(email)), ...kept])
  await changeContacts(tx, services, {
    account,
    added,
    removed,
    kept,
    by: { email: by.email, at: by.at },
    welcome: (mail) => queueNotice(tx, services, mail, { person: by.email, kind: 'new contact' }),
  })
  await writeAudit(tx, by, {
    action: 'setportalaccess',
    customerNumber,
    target: customerNumber,
    before: before.filter(({ email }) => wanted.has(email)),
    after: kept,
  })
}

/** Members leave first, so that their seats are free for others. */
async function changeGroups(act: Act, changes: readonly AccessChange[]): Promise<HeldBack[]> {
  const members = (of: 'joins' | 'leaves') =>
    Map.groupBy(
      changes.flatMap((change) => change[of].map((webGroupId) => ({ webGroupId, email: change.email }))),
      ({ webGroupId }) => webGroupId,
    )
  const [joins, leaves] = [members('joins'), members('leaves')]
  const heldBack: HeldBack[] = []
  for (const webGroupId of [...new Set([...leaves.keys(), ...joins.keys()])].sort()) {
    const remove = (leaves.get(webGroupId) ?? []).map(({ email }) => email)
    if (remove.length > 0) await changeMembers(act, webGroupId, { add: [], remove })
  }
  for (const [webGroupId, joining] of [...joins].sort(([one], [other]) => (one < other ? -1 : 1)))
    heldBack.push(...(await changeMembers(act, webGroupId, { add: joining.map(({ email }) => email), remove: [] })))
  return heldBack
}

type Members = { readonly add: string[]; readonly remove: string[] }
type Line = { readonly email: string; readonly code?: FailureCode; readonly err?: string }

async function changeMembers(act: Act, groupId: string, { add, remove }: Members): Promise<HeldBack[]> {
  const { customerNumber } = act.account
  const body = { customerNumber, groupId, add, remove }
  const lines = await changeWebGroupMembers({ ...webCall(act, 'web/groups/members'), body }).then(
    ({ data }): readonly Line[] => data,
    (error: unknown) => {
      // Nobody could join, and nothing was done.
      if (error instanceof BatchRefusal) return error.lines as readonly Line[]
      throw error
    },
  )
  return lines.flatMap(({ email, code, err = '' }) => (code ? [{ email, webGroupId: groupId, code, err }] : []))
}
