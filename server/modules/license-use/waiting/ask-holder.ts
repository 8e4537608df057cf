import type { Kysely } from 'kysely'
import type { askHolder as operation } from '#contract/license-use/waiting/waiting.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { probableUserName, tooShortToAsk } from '#domain/license-use/waiting/waiting-rules.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import { requireHost } from '#server/modules/license-use/named-host.ts'
import { loadSettings } from '#server/modules/license-use/save-settings.ts'
import { requireFeature } from '#server/modules/license-use/use/free-seats.ts'
import { listHolders } from '#server/modules/license-use/use/use.queries.ts'
import { insertHolderAsk } from '#server/modules/license-use/waiting/waiting.queries.ts'
import { mailHolder } from '#server/modules/license-use/waiting/waiting-mail.ts'
import { listWebUsersNamed } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Asks who holds a seat for long to return it. The caller learns nothing about the address. */
export async function askHolder(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing, timeZone } = call
  const { customerNumber } = standing
  const { feature, userName } = body
  const { hostId, hostName } = await requireHost(db, customerNumber, body.serverId)
  const settings = await loadSettings(db, customerNumber)
  if (settings.hasPseudonyms)
    throw new BusinessRefusal('HOLDERS_HIDDEN', 'This account shows pseudonyms, so nobody can be asked for a seat.')
  const asOf = (await requireFeature(db, customerNumber, feature)).find((row) => row.hostId === hostId)?.asOf ?? null
  const held = (await listHolders(db, { customerNumber, hostId, feature })).filter(
    ({ kind, user }) => kind !== 'queued' && user === userName,
  )
  const [longest] = held
  if (!longest)
    throw new BusinessRefusal('NOT_A_HOLDER', `${userName} holds no seat of ${feature} any more, by the last report.`)
  const problem = tooShortToAsk(longest.since, asOf, settings.askHours)
  if (problem) throw new BusinessRefusal('HELD_TOO_SHORT', problem)
  const [to, ...others] = await listAddresses(db, customerNumber, userName)
  if (to === undefined || others.length > 0)
    throw new BusinessRefusal(
      'ADDRESS_NOT_KNOWN',
      `The portal cannot tell whose email belongs to ${userName}: ${to === undefined ? 'no' : 'more than one'} contact or web user has this name before the @.`,
    )
  if (!(await insertHolderAsk(db, customerNumber, userName, { on: dayIn(timeZone, now), by: actor.email })))
    throw new BusinessRefusal('ASKED_TODAY', `${userName} was asked today already.`)
  const since = longest.since ?? ''
  await mailHolder(db, services, customerNumber, { to, by: actor.email, feature, serverName: hostName, since })
  await call.audit({ target: feature, after: { holder: userName, server: hostName } })
  return { data: null }
}

/** Contacts and web users of the account whose address begins with the name. */
async function listAddresses(db: Kysely<DB>, customerNumber: string, userName: string): Promise<string[]> {
  const contacts = (await listContacts(db, customerNumber)).map(({ email }) => email)
  const named = contacts.filter((email) => probableUserName(email).toLowerCase() === userName.toLowerCase())
  return [...new Set([...named, ...(await listWebUsersNamed(db, customerNumber, userName))])]
}
