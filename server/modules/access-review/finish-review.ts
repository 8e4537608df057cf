import type { finishReview as operation } from '#contract/access-review/access-review.ts'
import { accessId } from '#domain/access-review/access.ts'
import { progressText } from '#domain/access-review/decision.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import {
  countDecisions,
  listAllEntries,
  saveDecisions,
  updateReview,
} from '#server/modules/access-review/access-review.queries.ts'
import { requireOpenReview } from '#server/modules/access-review/decide-access.ts'
import { loadAccess } from '#server/modules/access-review/load-access.ts'
import { reviewFilesJob } from '#server/modules/access-review/review-files.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** What ended outside of the review is marked so, and what was given meanwhile is counted. A job makes the files. */
export async function finishReview(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing, timeZone } = call
  const key = { customerNumber: standing.customerNumber, reviewId: body.reviewId }
  await requireOpenReview(call, body.reviewId)
  const present = new Set((await loadAccess(db, key.customerNumber, now)).map(accessId))
  const entries = await listAllEntries(db, key)
  const known = new Set(entries.map(({ entry_id }) => entry_id))
  const gone = entries.filter(({ decision, entry_id }) => decision === 'open' && !present.has(entry_id))
  await saveDecisions(
    db,
    key,
    gone.map(({ entry_id }) => entry_id),
    { decision: 'gone', by: actor.email, at: now, reason: 'It had ended before the review was finished.' },
  )
  const progress = await countDecisions(db, key)
  const givenMeanwhile = [...present].filter((id) => !known.has(id)).length
  await updateReview(db, key, {
    finished_at: now,
    finished_on: dayIn(timeZone, now),
    finished_by: actor.email,
    kept: progress.kept,
    taken_away: progress['taken-away'],
    gone: progress.gone,
    undecided: progress.open,
    given_meanwhile: givenMeanwhile,
  })
  await call.audit({ target: body.reviewId, after: { outcome: progressText(progress), givenMeanwhile } })
  await services.jobs.send(db, reviewFilesJob, key)
  return { data: null }
}
