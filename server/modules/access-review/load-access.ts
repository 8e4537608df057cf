import type { Kysely } from 'kysely'
import { ADMINISTRATOR, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { type Access, GRANT_TEXTS, sourceOf } from '#domain/access-review/access.ts'
import { formatScopes } from '#domain/tokens/token-areas.ts'
import type { DB } from '#server/db/schema.ts'
import { listUsableApiTokens } from '#server/identity/api-tokens.queries.ts'
import { listAddedContacts, listGrants, listLastOpened } from '#server/modules/accounts/accounts.public.ts'
import { listManagedPeople } from '#server/modules/provisioning/provisioning.public.ts'
import { listFeeds } from '#server/modules/reminders/reminders.public.ts'
import { listStaffEmails } from '#server/modules/staff/staff.public.ts'
import { listWebUserUse } from '#server/modules/web-licenses/web-licenses.public.ts'
import { listEndpoints } from '#server/modules/webhooks/webhooks.public.ts'

/** The roles are long and begin alike. */
const SHORT_ROLES: Readonly<Record<ContactRole, string>> = {
  [ADMINISTRATOR]: 'Administrator',
  [VIEWER]: 'Viewer',
  [SUPPORT_COORDINATOR]: 'Support Coordinator',
}

/** Everything that has access to an account now. Staff see every account by their role, which no account gives or takes away. */
export async function loadAccess(db: Kysely<DB>, customerNumber: string, now: Date): Promise<Access[]> {
  const opened = await listLastOpened(db, customerNumber)
  const staff = await listStaffEmails(db)
  const managed = await listManagedPeople(db, customerNumber)
  const source = (by: string | null, isManaged = false) => ({
    givenBy: by,
    // Keys of the vendor's systems and the operator have names that are no addresses.
    source: sourceOf({ isManaged, by, isByStaff: by !== null && (staff.has(by) || !by.includes('@')) }),
  })
  const person = (email: string) => ({ name: email, holder: email, lastUsed: opened.get(email) ?? null })
  return [
    ...(await listAddedContacts(db, customerNumber)).map(({ email, role, added_at, added_by }) => ({
      kind: 'contact' as const,
      key: email,
      ...person(email),
      role: SHORT_ROLES[role],
      since: added_at,
      ...source(added_by, managed.contacts.has(email)),
    })),
    ...(await listWebUserUse(db, customerNumber)).map((user) => ({
      kind: 'web-user' as const,
      key: user.email,
      name: user.email,
      holder: user.email,
      role: user.entitlements === 1 ? '1 web license' : `${user.entitlements} web licenses`,
      lastUsed: user.last_used_at,
      since: user.added_at,
      ...source(user.added_by, managed.webUsers.has(user.email)),
    })),
    ...(await listGrants(db, customerNumber)).map(({ email, kind, granted_at, granted_by }) => ({
      kind: 'grant' as const,
      key: `${kind}:${email}`,
      ...person(email),
      role: GRANT_TEXTS[kind],
      since: granted_at,
      givenBy: granted_by,
      // Nobody else may.
      source: 'staff' as const,
    })),
    ...(await listUsableApiTokens(db, customerNumber, now)).map((token) => ({
      kind: 'token' as const,
      key: token.id,
      name: token.name,
      holder: token.owner,
      role: formatScopes(token.scopes),
      lastUsed: token.last_used_at,
      since: token.created_at,
      ...source(token.owner),
    })),
    ...(await listFeeds(db, customerNumber)).map(({ id, name, createdBy, createdAt, usedAt }) => ({
      kind: 'calendar' as const,
      key: id,
      name,
      holder: createdBy,
      role: 'End dates',
      lastUsed: usedAt === null ? null : new Date(usedAt),
      since: new Date(createdAt),
      ...source(createdBy),
    })),
    ...(await listEndpoints(db, customerNumber)).map((endpoint) => ({
      kind: 'webhook' as const,
      key: endpoint.id,
      name: endpoint.url,
      holder: endpoint.created_by,
      role: webhookRole(endpoint),
      lastUsed: endpoint.last_delivered_at,
      since: endpoint.created_at,
      ...source(endpoint.created_by),
    })),
  ]
}

const webhookRole = ({ events, is_on }: { readonly events: readonly string[]; readonly is_on: boolean }) =>
  `${events.length} ${events.length === 1 ? 'kind' : 'kinds'} of events${is_on ? '' : ', switched off'}`
