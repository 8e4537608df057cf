import { isDeepStrictEqual } from 'node:util'
import type { setReminders as operation } from '#contract/reminders/reminders.ts'
import { reminderErrors, tidiedReminders } from '#domain/reminders/reminders.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import { loadReminders, lockReminders, saveReminders } from '#server/modules/reminders/reminders.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The reminders of this account were changed by somebody else in the meantime.'

export async function setReminders(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const [error] = Object.values(reminderErrors(body.newReminders))
  if (error) throw new HttpError(400, error)
  const wanted = tidiedReminders(body.newReminders)
  await lockReminders(db, customerNumber)
  const current = await loadReminders(db, customerNumber)
  const onWire = (reminders: typeof wanted) => structuredClone(reminders) as Result<typeof operation>['data']
  if (isDeepStrictEqual(current, wanted)) return { data: onWire(current) }
  if (!isDeepStrictEqual(current, tidiedReminders(body.oldReminders)))
    throw new ConflictError(CHANGED_MEANWHILE, { current, yours: wanted })

  const contacts = new Set((await listContacts(db, customerNumber)).map(({ email }) => email))
  // Somebody who was removed from the contacts may still be in the list that is kept.
  const stranger = wanted.recipients.find((email) => !contacts.has(email) && !current.recipients.includes(email))
  if (stranger) throw new BusinessRefusal('NOT_A_CONTACT', `${stranger} is not a contact of this account.`)
  await saveReminders(db, customerNumber, wanted, { email: actor.email, at: now })
  await call.audit({ before: current, after: wanted })
  return { data: onWire(wanted) }
}
