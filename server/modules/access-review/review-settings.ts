import type { Kysely } from 'kysely'
import type { saveReviewSettings as operation, SavedReviewSettings } from '#contract/access-review/access-review.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { ConflictError } from '#server/http/http-error.ts'
import { loadSettings, saveSettings } from '#server/modules/access-review/access-review.queries.ts'
import { countSave, type Edited, findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The schedule of access reviews was changed by somebody else in the meantime.'

const edited = (customerNumber: string): Edited => ({ customerNumber, subject: 'access reviews' })

export async function loadReviewSettings(db: Kysely<DB>, customerNumber: string): Promise<SavedReviewSettings> {
  const revision = await findRevision(db, edited(customerNumber))
  return { ...(await loadSettings(db, customerNumber)).settings, revision }
}

/** The period counts from the day on which it was chosen; another time to decide alone does not choose it again. */
export async function saveReviewSettings(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const before = await loadReviewSettings(db, customerNumber)
  const { every, dueDays } = body.settings
  if (body.revision === before.revision && every === before.every && dueDays === before.dueDays) return { data: before }
  const revision = await countSave(db, edited(customerNumber), body.revision)
  if (revision === undefined) {
    const current = await loadReviewSettings(db, customerNumber)
    throw new ConflictError(CHANGED_MEANWHILE, { current, yours: body.settings })
  }
  const saved = await loadSettings(db, customerNumber)
  const today = dayIn(timeZone, now)
  const chosenOn = saved.settings.every === every ? (saved.chosenOn ?? today) : today
  await saveSettings(db, customerNumber, { every, dueDays }, { email: actor.email, at: now, chosenOn })
  await call.audit({ before: { every: before.every, dueDays: before.dueDays }, after: { every, dueDays } })
  return { data: { every, dueDays, revision } }
}
