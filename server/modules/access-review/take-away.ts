import type { Transaction } from 'kysely'
import { can } from '#domain/access/can.ts'
import { ACCOUNT_GRANTS } from '#domain/access/roles.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { type AccessKind, isOfPerson } from '#domain/access-review/access.ts'
import { MANAGED, ONLY_STAFF_GRANTS, refusalOfTaking } from '#domain/access-review/decision.ts'
import { isLastInCharge, LAST_ADMINISTRATOR, refusalOfChange } from '#domain/settings/contacts.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { revokeApiToken } from '#server/identity/api-tokens.queries.ts'
import type { EntryRow } from '#server/modules/access-review/access-review.queries.ts'
import {
  listContacts,
  listGrants,
  lockAccount,
  removeGrants,
  saveContacts,
} from '#server/modules/accounts/accounts.public.ts'
import { listManagedPeople } from '#server/modules/provisioning/provisioning.public.ts'
import { revokeFeed } from '#server/modules/reminders/reminders.public.ts'
import { listWebUsers, removeWebUsers } from '#server/modules/web-licenses/web-licenses.public.ts'
import { removeEndpoint, writeEvents } from '#server/modules/webhooks/webhooks.public.ts'

export type TakingCall = {
  readonly db: Transaction<DB>
  readonly actor: Actor
  readonly standing: Standing
  readonly now: Date
  /** Ends everything that a person has; given if this is wanted for the persons of the entries. */
  readonly endPerson?: ((email: string) => Promise<unknown>) | undefined
}

/** `gone`: it had ended before. */
export type Taken = 'taken-away' | 'gone' | Refusal

/** Ends accesses at once, and answers the outcome of each by its id. What is refused stays as it is. */
export async function takeAway(call: TakingCall, entries: readonly EntryRow[]): Promise<Map<string, Taken>> {
  const mayChangeGrants = can(call.actor, 'contacts.switches', call.standing)
  const managed = await listManagedPeople(call.db, call.standing.customerNumber)
  const outcomes = new Map<string, Taken>()
  const allowed: EntryRow[] = []
  for (const entry of entries) {
    const { kind, holder } = entry
    const isManaged =
      (kind === 'contact' && managed.contacts.has(holder)) || (kind === 'web-user' && managed.webUsers.has(holder))
    const refused = refusalOfTaking(entry, { email: call.actor.email, mayChangeGrants, isManaged })
    if (refused) outcomes.set(entry.entry_id, refused)
    else allowed.push(entry)
  }
  // One order for all callers, so that none waits for another in a circle.
  if (allowed.some(({ kind }) => kind === 'contact' || kind === 'web-user' || kind === 'grant'))
    await lockAccount(call.db, call.standing.customerNumber)
  const { endPerson } = call
  const whole = endPerson ? allowed.filter(({ kind }) => isOfPerson(kind)) : []
  const rest = allowed.filter((entry) => !whole.includes(entry))
  for (const [kind, taken] of Map.groupBy(rest, (entry) => entry.kind))
    for (const [id, outcome] of await TAKERS[kind](call, taken)) outcomes.set(id, outcome)
  // After what is named one by one, which would be gone otherwise.
  if (endPerson)
    for (const [email, own] of Map.groupBy(whole, ({ holder }) => holder)) {
      const isManaged = managed.contacts.has(email) || managed.webUsers.has(email)
      const outcome = isManaged ? refusal('NOT_ALLOWED', MANAGED) : await takePerson(call, email, endPerson)
      for (const { entry_id } of own) outcomes.set(entry_id, outcome)
    }
  return outcomes
}

/** What the caller could not take away one by one ends in no other way either. */
async function takePerson(
  { db, actor, standing }: TakingCall,
  email: string,
  endPerson: (email: string) => Promise<unknown>,
): Promise<Taken> {
  const { customerNumber } = standing
  const contacts = await listContacts(db, customerNumber)
  const others = contacts.filter((one) => one.email !== email)
  if (isLastInCharge(contacts, others)) return refusal('LAST_ADMINISTRATOR', LAST_ADMINISTRATOR)
  const refused = refusalOfChange(actor, standing, contacts, others)
  if (refused) return refusal('NOT_ALLOWED', refused.reason)
  const hasGrants = (await listGrants(db, customerNumber)).some((grant) => grant.email === email)
  if (hasGrants && !can(actor, 'contacts.switches', standing).allowed) return refusal('NOT_ALLOWED', ONLY_STAFF_GRANTS)
  await endPerson(email)
  return 'taken-away'
}

type Taker = (call: TakingCall, entries: readonly EntryRow[]) => Promise<readonly (readonly [string, Taken])[]>

const TAKERS: Readonly<Record<AccessKind, Taker>> = {
  contact: takeContacts,
  'web-user': takeWebUsers,
  grant: takeGrants,
  token: oneByOne(({ db, now, standing }, id) => revokeApiToken(db, standing.customerNumber, id, now)),
  calendar: oneByOne(({ db, now, standing }, id) => revokeFeed(db, standing.customerNumber, id, now)),
  webhook: oneByOne(({ db, standing }, id) => removeEndpoint(db, { customerNumber: standing.customerNumber, id })),
}

/** An account has a few of these. `end` answers undefined if there is none any more. */
function oneByOne(end: (call: TakingCall, id: string) => Promise<unknown>): Taker {
  return async (call, entries) => {
    const outcomes: [string, Taken][] = []
    for (const { entry_id, key } of entries)
      outcomes.push([entry_id, (await end(call, key)) === undefined ? 'gone' : 'taken-away'])
    return outcomes
  }
}

/** Each contact is decided on what those before it leave: of two administrators, the last one stays. */
async function takeContacts({ db, actor, standing, now }: TakingCall, entries: readonly EntryRow[]) {
  const { customerNumber } = standing
  let current = await listContacts(db, customerNumber)
  const gone: typeof current = []
  const outcomes = entries.map(({ entry_id, key }): readonly [string, Taken] => {
    const contact = current.find(({ email }) => email === key)
    if (!contact) return [entry_id, 'gone']
    const after = current.filter((one) => one !== contact)
    // Business operations may leave an account without one on its page of access, but not by a review, where it is seldom meant.
    if (isLastInCharge(current, after)) return [entry_id, refusal('LAST_ADMINISTRATOR', LAST_ADMINISTRATOR)]
    const refused = refusalOfChange(actor, standing, current, after)
    if (refused) return [entry_id, refusal('NOT_ALLOWED', refused.reason)]
    current = after
    gone.push(contact)
    return [entry_id, 'taken-away']
  })
  if (gone.length > 0) {
    await saveContacts(db, customerNumber, { gone, kept: [] }, { email: actor.email, at: now })
    const by = actor.email
    const events = gone.map((one) => ({ type: 'contact.removed' as const, data: { ...one, by } }))
    await writeEvents(db, customerNumber, now, events)
  }
  return outcomes
}

/** Their seats become free, and their checkouts end. */
async function takeWebUsers({ db, standing, now }: TakingCall, entries: readonly EntryRow[]) {
  const { customerNumber } = standing
  const emails = entries.map(({ key }) => key)
  const known = await listWebUsers(db, customerNumber, emails)
  await removeWebUsers(db, customerNumber, [...known.keys()], now)
  return entries.map(({ entry_id, key }) => [entry_id, known.has(key) ? 'taken-away' : 'gone'] as const)
}

async function takeGrants({ db, standing }: TakingCall, entries: readonly EntryRow[]) {
  const wanted = entries.flatMap(({ entry_id, key, holder: email }) => {
    const kind = ACCOUNT_GRANTS.find((one) => key === `${one}:${email}`)
    return kind ? [{ entry_id, email, kind }] : []
  })
  const removed = await removeGrants(db, standing.customerNumber, wanted)
  return wanted.map(({ entry_id, email, kind }) => {
    const isRemoved = removed.some((one) => one.email === email && one.kind === kind)
    return [entry_id, isRemoved ? 'taken-away' : 'gone'] as const
  })
}
