import type { Transaction } from 'kysely'
import type { AccountGrant, ContactRole } from '#domain/access/roles.ts'
import { type Contact, isLastInCharge, LAST_ADMINISTRATOR } from '#domain/settings/contacts.ts'
import { DAY } from '#domain/tokens/token-rules.ts'
import { type AuditContext, type AuditEntry, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { endProvisioningTokensOf, revokeApiTokensOf } from '#server/identity/api-tokens.queries.ts'
import { deleteSignInSessionsOf } from '#server/identity/sign-in-session.queries.ts'
import {
  hasOtherAccounts,
  listAdministrators,
  listContacts,
  loadAccount,
  lockAccount,
  revokeGrantsOf,
} from '#server/modules/accounts/accounts.public.ts'
import { leaveLinesOf } from '#server/modules/license-use/license-use.public.ts'
import { action, pageUrl, paragraph, queueNotice } from '#server/modules/messages/messages.public.ts'
import { forgetGiven } from '#server/modules/provisioning/provisioning.public.ts'
import { revokeFeedsOf } from '#server/modules/reminders/reminders.public.ts'
import { withdrawRequestsOf } from '#server/modules/requests/requests.public.ts'
import { changeContacts } from '#server/modules/settings/settings.public.ts'
import { countSeatsOf, deleteWebUsers, listWebUsers } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Services } from '#server/services.ts'

type Leaver = {
  readonly customerNumber: string
  readonly email: string
  /** For the audit log: "removed by the identity provider". */
  readonly reason: string
}

type EndedAccess = {
  readonly role: ContactRole | null
  readonly grants: readonly AccountGrant[]
  readonly isWebUser: boolean
  readonly sessions: number
  readonly tokens: number
  readonly seats: number
  readonly checkouts: number
  readonly calendarAddresses: number
  readonly places: number
  readonly requests: number
}

type Parts = Pick<Services, 'clock' | 'config'>

/** How long a token for provisioning goes on when the administrator who made it leaves: the next leavers must not stay. */
const REPLACE_TOKEN_WITHIN = 7 * DAY

/**
 * Ends everything that a person has on an account, in the transaction of its cause: role, grants, seats and checkouts of web licenses,
 * tokens, calendar addresses, places in lines, open requests, and sign-in sessions if the person has no other account. All of it is
 * announced, so that every process refuses the person at once. The last administrator stays: 409 LAST_ADMINISTRATOR.
 */
export async function endAccess(
  tx: Transaction<DB>,
  services: Parts,
  { customerNumber, email, reason }: Leaver,
  by: AuditContext,
): Promise<EndedAccess> {
  const now = by.at
  const account = { customerNumber, ...(await lockAccount(tx, customerNumber)) }
  const contacts = await listContacts(tx, customerNumber)
  const contact = contacts.find((one) => one.email === email)
  if (contact) {
    refuseWithoutAdministrator(
      contacts,
      contacts.filter((one) => one !== contact),
    )
    await changeContacts(tx, services, {
      account,
      added: [],
      removed: [contact],
      kept: [],
      by: { email: by.email, at: now },
      welcome: async () => {},
    })
  }
  const ended: EndedAccess = {
    role: contact?.role ?? null,
    grants: await revokeGrantsOf(tx, customerNumber, email),
    ...(await removeWebUser(tx, { customerNumber, email }, by)),
    tokens: await revokeApiTokensOf(tx, customerNumber, email, now),
    calendarAddresses: await revokeFeedsOf(tx, customerNumber, email, now),
    requests: await withdrawRequestsOf(tx, customerNumber, email, { email: by.email, at: now }),
    places: await leaveLinesOf(tx, services, customerNumber, { email, now }),
    // Another account must not notice that this one ends.
    sessions: (await hasOtherAccounts(tx, email, customerNumber)) ? 0 : await deleteSignInSessionsOf(tx, email),
  }
  await forgetGiven(tx, customerNumber, [email])
  await endProvisioningTokens(tx, services, { account, email }, now)
  if (hasEnded(ended))
    await writeAudit(tx, by, { action: 'access.end', customerNumber, target: email, after: { ...ended, reason } })
  return ended
}

const hasEnded = ({ role, grants, isWebUser, ...counts }: EndedAccess) =>
  role !== null || grants.length > 0 || isWebUser || Object.values(counts).some((count) => count > 0)

/** Nobody could give anybody access afterwards. */
export function refuseWithoutAdministrator(before: readonly Contact[], after: readonly Contact[]): void {
  if (isLastInCharge(before, after)) throw new HttpError(409, LAST_ADMINISTRATOR, 'LAST_ADMINISTRATOR')
}

type Person = Pick<Leaver, 'customerNumber' | 'email'>

/** The seats are free again, and running checkouts end. */
async function removeWebUser(tx: Transaction<DB>, { customerNumber, email }: Person, by: AuditContext) {
  if (!(await listWebUsers(tx, customerNumber, [email])).has(email)) return { isWebUser: false, seats: 0, checkouts: 0 }
  const seats = await countSeatsOf(tx, customerNumber, email)
  const { time_zone: timeZone } = await loadAccount(tx, customerNumber)
  const { endedCheckouts = 0 } = await deleteWebUsers({
    actor: { email: by.email, staff: new Set(), isProvider: true },
    audit: (entry: Omit<AuditEntry, 'action'>) =>
      writeAudit(tx, by, { action: 'web/users/delete', customerNumber, ...entry }),
    body: { customerNumber, emails: [email] },
    db: tx,
    now: by.at,
    standing: { customerNumber },
    timeZone,
  })
  return { isWebUser: true, seats, checkouts: endedCheckouts }
}

/** The identity provider goes on with its token for a while, and the other administrators are asked to replace it. */
async function endProvisioningTokens(
  tx: Transaction<DB>,
  services: Parts,
  {
    account,
    email,
  }: { readonly account: { readonly customerNumber: string; readonly name: string }; readonly email: string },
  now: Date,
): Promise<void> {
  const { customerNumber, name } = account
  const until = new Date(now.getTime() + REPLACE_TOKEN_WITHIN)
  const tokens = await endProvisioningTokensOf(tx, customerNumber, email, until)
  const to = await listAdministrators(tx, customerNumber)
  if (tokens.length === 0 || to.length === 0) return
  const { brand, origin } = services.config
  const title = 'Replace the token for provisioning within 7 days'
  const names = tokens.map((token) => `"${token.name}"`).join(', ')
  const content = {
    title,
    blocks: [
      paragraph(
        `${email}, who made the token ${names} of ${customerNumber} (${name}), has left. The token ends in 7 days. Replace it, and give the new one to your identity provider.`,
      ),
      action('Open provisioning', pageUrl(origin, '/provisioning', customerNumber)),
    ],
  }
  const mail = { customerNumber, to, subject: `${brand.name}: ${title}`, content }
  await queueNotice(tx, services, mail, { person: email, kind: 'provisioning token' })
}
