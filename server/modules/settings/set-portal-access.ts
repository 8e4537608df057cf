import domains from 'free-email-domains'
import type { setPortalAccess as operation } from '#contract/settings/portal-access.ts'
import type { setAccountSwitches as switchesOperation } from '#contract/settings/portal-access-switches.ts'
import { MANAGED_ROLE } from '#domain/provisioning/managed.ts'
import { readSwitches, sameSwitches } from '#domain/settings/account-switches.ts'
import { type Contact, contactChanges, readContacts, refusalOfChange, sameContacts } from '#domain/settings/contacts.ts'
import type { FreeDomains } from '#domain/settings/email-address.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import {
  disableAccess,
  grantTo,
  listContacts,
  loadSwitches,
  lockAccount,
} from '#server/modules/accounts/accounts.public.ts'
import { queueMail } from '#server/modules/messages/messages.public.ts'
import { listManagedContacts } from '#server/modules/provisioning/provisioning.public.ts'
import { changeContacts } from '#server/modules/settings/change-contacts.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Domains of free and personal mail, a list that others keep up to date. */
const freeMailDomains: FreeDomains = new Set<string>(domains)

const CONTACTS_CHANGED = 'The contacts of this account were changed by somebody else in the meantime.'

export async function setPortalAccess(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing } = call
  const { customerNumber } = standing
  const wanted = contactsIn(body.newContacts)
  const account = await lockAccount(db, customerNumber)
  const current = await listContacts(db, customerNumber)
  // The list is already as requested, perhaps because an answer was lost. No other change is overwritten.
  if (sameContacts(current, wanted)) return { data: current }
  if (!sameContacts(current, body.oldContacts)) throw new ConflictError(CONTACTS_CHANGED, { current, yours: wanted })

  const refusal = refusalOfChange(actor, standing, current, wanted)
  if (refusal?.kind === 'against the rules') throw new BusinessRefusal('LAST_ADMINISTRATOR', refusal.reason)
  if (refusal) await call.refuse(new HttpError(403, refusal.reason))

  const { added, removed, changed } = contactChanges(current, wanted)
  const managed = await listManagedContacts(db, customerNumber)
  if ([...removed, ...changed.map(({ before }) => before)].some(({ email }) => managed.has(email)))
    throw new BusinessRefusal('MANAGED_BY_SCIM', MANAGED_ROLE)
  await changeContacts(db, services, {
    added,
    removed,
    kept: wanted,
    account: { customerNumber, name: account.name },
    by: { email: actor.email, at: now },
    welcome: (mail) => queueMail(db, services, mail, { person: actor.email, kind: 'new contact' }),
  })
  await call.audit({ target: customerNumber, before: current, after: wanted })
  return { data: wanted }
}

function contactsIn(drafts: readonly { email: string; role: string }[]): Contact[] {
  // Only email and role are taken from a row; other fields are the server's own.
  const rows = drafts.map(({ email, role }) => ({ email, role }))
  const read = readContacts(rows, freeMailDomains)
  if ('error' in read) throw new HttpError(400, read.error)
  return read.contacts
}

const SWITCHES_CHANGED = 'The access settings of this account were changed by somebody else in the meantime.'

export async function setAccountSwitches(
  call: Call<typeof switchesOperation>,
): Promise<Result<typeof switchesOperation>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const read = readSwitches(body.newSwitches, freeMailDomains)
  if ('error' in read) throw new HttpError(400, read.error)
  const wanted = read.switches
  await lockAccount(db, customerNumber)
  const current = await loadSwitches(db, customerNumber)
  if (sameSwitches(current, wanted)) return { data: current }
  if (!sameSwitches(current, body.oldSwitches)) throw new ConflictError(SWITCHES_CHANGED, { current, yours: wanted })

  const by = { email: actor.email, at: now }
  await disableAccess(db, customerNumber, wanted.isAccessDisabled)
  await grantTo(db, { customerNumber, kind: 'sales-access' }, wanted.salesAccess, by)
  await grantTo(db, { customerNumber, kind: 'fnp-license-generator' }, wanted.fnpLicenseGenerators, by)
  await call.audit({ target: customerNumber, before: current, after: wanted })
  return { data: wanted }
}
