import type { Transaction } from 'kysely'
import type { IDToken } from 'openid-client'
import type { changeWebGroupMembers as MembersOperation } from '#contract/web-licenses/web-groups.ts'
import type { saveWebUsers as UsersOperation } from '#contract/web-licenses/web-users.ts'
import { type ContactRole, VIEWER } from '#domain/access/roles.ts'
import { accessChange, GIVEN_ROLES, type GivenRole } from '#domain/provisioning/wanted-access.ts'
import type { Contact } from '#domain/settings/contacts.ts'
import { groupsIn, mappingOf } from '#domain/sign-in-providers/group-access.ts'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { listContacts, loadAccount, lockAccount, saveContacts } from '#server/modules/accounts/accounts.public.ts'
import { findGiven, type ProviderRow, saveGiven } from '#server/modules/sign-in-providers/providers.queries.ts'
import { changeWebGroupMembers, listWebGroups, saveWebUsers } from '#server/modules/web-licenses/web-licenses.public.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Call } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

type Person = { readonly email: string; readonly claims: IDToken }

/** Gives a person what the groups in the claims say, and takes what they gave before and say no longer. */
export async function applyGroups(
  tx: Transaction<DB>,
  services: Services,
  provider: ProviderRow,
  { email, claims }: Person,
  context: AuditContext,
): Promise<void> {
  const { customer_number: customerNumber, group_claim: claim, rules } = provider
  const groups = claim === '' ? undefined : groupsIn(claims[claim])
  if (groups === undefined) return
  await lockAccount(tx, customerNumber)
  const contacts = await listContacts(tx, customerNumber)
  const webGroups = rules.length > 0 ? await listWebGroups(tx, customerNumber) : []
  const given = await findGiven(tx, customerNumber, email)
  const role = contacts.find((contact) => contact.email === email)?.role ?? null
  const change = accessChange(
    {
      email,
      groupIds: groups,
      givenRole: GIVEN_ROLES.find((one) => one === given?.role) ?? null,
      givenWebGroups: given?.web_group_ids ?? [],
      role,
      webGroups: webGroups.filter(({ members }) => members.includes(email)).map(({ groupId }) => groupId),
    },
    mappingOf(rules),
  )
  const after = isLastInCharge(contacts, email, change.role) ? undefined : change.role
  if (after !== undefined) await saveRole(tx, customerNumber, { email, role, after }, context)
  const names = new Map(webGroups.map(({ groupId, name }) => [groupId, name]))
  const joined = await changeGroups(tx, services, { ...change, customerNumber, names }, context)
  const kept = change.givenWebGroups.filter((id) => joined.includes(id) || !change.joins.includes(id))
  const now = services.clock.now()
  if (given || change.givenRole !== null || kept.length > 0)
    await saveGiven(tx, {
      customer_number: customerNumber,
      email,
      role: after === undefined && change.role !== undefined ? (given?.role ?? null) : change.givenRole,
      web_group_ids: kept,
      given_at: now,
    })
  if (after !== undefined || joined.length > 0 || change.leaves.length > 0)
    await writeAudit(tx, context, {
      action: 'sign-in-provider.access',
      customerNumber,
      target: email,
      before: { role },
      after: {
        role: after === undefined ? role : after,
        joins: joined.map((id) => names.get(id)),
        leaves: change.leaves.map((id) => names.get(id)),
      },
    })
}

/** Somebody has to manage the account, whatever a directory says. */
function isLastInCharge(contacts: readonly Contact[], email: string, after: GivenRole | null | undefined): boolean {
  if (after !== null && after !== VIEWER) return false
  const inCharge = contacts.filter(({ role }) => role !== VIEWER)
  return inCharge.length === 1 && inCharge[0]?.email === email
}

type RoleChange = { readonly email: string; readonly role: ContactRole | null; readonly after: GivenRole | null }

async function saveRole(
  tx: Transaction<DB>,
  customerNumber: string,
  { email, role, after }: RoleChange,
  { at }: AuditContext,
): Promise<void> {
  const by = 'sign-in provider'
  const gone = after === null && role !== null ? [{ email, role }] : []
  const kept = after === null ? [] : [{ email, role: after }]
  await saveContacts(tx, customerNumber, { gone, kept }, { email: by, at })
  if (after !== null && role === null)
    await writeEvents(tx, customerNumber, at, [{ type: 'contact.added', data: { email, role: after, by } }])
  if (after === null && role !== null)
    await writeEvents(tx, customerNumber, at, [{ type: 'contact.removed', data: { email, role, by } }])
}

type GroupChange = {
  readonly customerNumber: string
  readonly email: string
  readonly names: ReadonlyMap<string, string>
  readonly joins: readonly string[]
  readonly leaves: readonly string[]
}

/** Returns the web groups that the person has joined. One without a free seat is tried again at the next sign-in. */
async function changeGroups(
  tx: Transaction<DB>,
  services: Services,
  { customerNumber, email, names, joins, leaves }: GroupChange,
  context: AuditContext,
): Promise<string[]> {
  const known = joins.filter((id) => names.has(id))
  if (known.length + leaves.length === 0) return []
  const { time_zone: timeZone } = await loadAccount(tx, customerNumber)
  const call = {
    actor: { email },
    db: tx,
    now: context.at,
    services,
    standing: { customerNumber },
    timeZone,
    audit: async () => {},
  }
  for (const groupId of leaves) {
    const body = { customerNumber, groupId, add: [], remove: [email] }
    if (names.has(groupId)) await changeWebGroupMembers({ ...call, body } as unknown as Call<typeof MembersOperation>)
  }
  const joined: string[] = []
  for (const groupId of known) {
    const body = { customerNumber, users: [{ email, groups: [names.get(groupId) ?? ''] }] }
    try {
      await saveWebUsers({ ...call, body } as unknown as Call<typeof UsersOperation>)
      joined.push(groupId)
    } catch (error) {
      if (!(error instanceof BusinessRefusal)) throw error
    }
  }
  return joined
}
