import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { openReview as operation, ReviewState } from '#contract/access-review/access-review.ts'
import { nextOpening } from '#domain/access-review/schedule.ts'
import { addDays, type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import {
  countDecisions,
  findLastFinish,
  findOpenReview,
  insertEntries,
  insertReview,
  loadSettings,
  lockReviews,
  toEntries,
} from '#server/modules/access-review/access-review.queries.ts'
import { loadAccess } from '#server/modules/access-review/load-access.ts'
import { mailOpening } from '#server/modules/access-review/review-mail.ts'
import { loadReviewSettings } from '#server/modules/access-review/review-settings.ts'
import type { Call, Result } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

export async function openReview(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, db, now, services, standing, timeZone } = call
  const { customerNumber } = standing
  await lockReviews(db, customerNumber)
  if (await findOpenReview(db, customerNumber))
    throw new BusinessRefusal('REVIEW_OPEN', 'This account has an open review. Finish it first.')
  const opened = await open(db, services, { customerNumber, now, today: dayIn(timeZone, now), by: actor.email })
  await call.audit({ target: opened.id, after: { dueOn: opened.dueOn, entries: opened.entries } })
  return { data: opened }
}

type Opening = {
  readonly customerNumber: string
  readonly now: Date
  readonly today: CalendarDay
  /** Null: the schedule. */
  readonly by: string | null
}

/** Keeps who has access now, and mails the administrators. The caller holds the lock. */
export async function open(
  tx: Transaction<DB>,
  services: Pick<Services, 'clock' | 'config'>,
  { customerNumber, now, today, by }: Opening,
): Promise<{ id: string; dueOn: CalendarDay; entries: number }> {
  const { settings } = await loadSettings(tx, customerNumber)
  const key = { customerNumber, reviewId: randomUUID() }
  const dueOn = addDays(today, settings.dueDays)
  await insertReview(tx, {
    customer_number: customerNumber,
    review_id: key.reviewId,
    opened_at: now,
    opened_on: today,
    opened_by: by,
    due_on: dueOn,
  })
  const entries = toEntries(await loadAccess(tx, customerNumber, now), now)
  await insertEntries(tx, key, entries)
  const unused = entries.filter((entry) => entry.is_unused).length
  await mailOpening(tx, services, { customerNumber, by, dueOn, entries: entries.length, unused })
  return { id: key.reviewId, dueOn, entries: entries.length }
}

type StateCall = Pick<Call<typeof operation>, 'standing' | 'timeZone' | 'now'> & {
  readonly db: Parameters<typeof loadSettings>[0]
}

export async function loadState({ db, now, standing, timeZone }: StateCall): Promise<ReviewState> {
  const { customerNumber } = standing
  const settings = await loadReviewSettings(db, customerNumber)
  const { chosenOn } = await loadSettings(db, customerNumber)
  const review = await findOpenReview(db, customerNumber)
  const progress = review && (await countDecisions(db, { customerNumber, reviewId: review.review_id }))
  const isScheduled = !review && chosenOn !== null
  return {
    today: dayIn(timeZone, now),
    review:
      review && progress
        ? {
            id: review.review_id,
            openedAt: review.opened_at.toISOString(),
            openedBy: review.opened_by,
            dueOn: review.due_on,
            open: progress.open,
            kept: progress.kept,
            takenAway: progress['taken-away'],
            gone: progress.gone,
          }
        : null,
    nextOpening: isScheduled
      ? nextOpening({ every: settings.every, chosenOn, lastFinishedOn: await findLastFinish(db, customerNumber) })
      : null,
    settings,
  }
}
