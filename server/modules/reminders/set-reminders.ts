import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { setReminders as operation, SavedReminders } from '#contract/reminders/reminders.ts'
import { NO_REMINDERS, type Reminders, reminderErrors, tidiedReminders } from '#domain/reminders/reminders.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import { loadReminders, lockReminders, saveReminders } from '#server/modules/reminders/reminders.queries.ts'
import { countSave, type Edited, findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The reminders of this account were changed by somebody else in the meantime.'

const edited = (customerNumber: string): Edited => ({ customerNumber, subject: 'reminders' })

export async function loadSavedReminders(db: Kysely<DB>, customerNumber: string): Promise<SavedReminders> {
  const revision = await findRevision(db, edited(customerNumber))
  return toSaved(await loadReminders(db, customerNumber), revision)
}

export async function setReminders(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const asked: Reminders = { ...NO_REMINDERS, ...body.reminders }
  const [error] = Object.values(reminderErrors(asked))
  if (error) throw new HttpError(400, error)
  const wanted = tidiedReminders(asked)
  await lockReminders(db, customerNumber)
  const saved = await loadSavedReminders(db, customerNumber)
  const { revision: stored, ...current } = saved
  if (isDeepStrictEqual(current, wanted)) return { data: saved }
  const revision = await countSave(db, edited(customerNumber), body.revision)
  if (revision === undefined) throw new ConflictError(CHANGED_MEANWHILE, { current: saved, yours: wanted })

  const contacts = new Set((await listContacts(db, customerNumber)).map(({ email }) => email))
  // Somebody who was removed from the contacts may still be in the list that is kept.
  const stranger = wanted.recipients.find((email) => !contacts.has(email) && !current.recipients.includes(email))
  if (stranger) throw new BusinessRefusal('NOT_A_CONTACT', `${stranger} is not a contact of this account.`)
  await saveReminders(db, customerNumber, wanted, { email: actor.email, at: now })
  await call.audit({ before: current, after: wanted })
  return { data: toSaved(wanted, revision) }
}

const toSaved = (reminders: Reminders, revision: number) =>
  ({ ...structuredClone(reminders), revision }) as SavedReminders
