import { dueReminder, nextOpening } from '#domain/access-review/schedule.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import {
  countDecisions,
  findLastFinish,
  findOpenReview,
  listReviewedAccounts,
  loadSettings,
  lockReviews,
  updateReview,
} from '#server/modules/access-review/access-review.queries.ts'
import { open } from '#server/modules/access-review/open-review.ts'
import { mailReminder } from '#server/modules/access-review/review-mail.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import type { Services } from '#server/services.ts'
import { ofAccounts, tryEach } from '#server/tasks/try-each.ts'

type Parts = Pick<Services, 'clock' | 'config' | 'db'>

/**
 * Opens reviews on their day, and reminds of those that are open. A day begins in the time zone of the account. After a downtime, the first run makes
 * up for it: one opening, one reminder.
 */
export async function runReviews(services: Parts, signal?: AbortSignal): Promise<void> {
  const options = { ...ofAccounts, complaint: 'access reviews could not be opened or reminded of', signal }
  await tryEach(await listReviewedAccounts(services.db), options, (customerNumber) =>
    services.db.transaction().execute(async (tx) => {
      // The lock makes several processes open and remind once.
      await lockReviews(tx, customerNumber)
      const now = services.clock.now()
      const today = dayIn((await loadAccount(tx, customerNumber)).time_zone, now)
      const review = await findOpenReview(tx, customerNumber)
      if (!review) {
        const { settings, chosenOn } = await loadSettings(tx, customerNumber)
        if (chosenOn === null) return
        const lastFinishedOn = await findLastFinish(tx, customerNumber)
        const day = nextOpening({ every: settings.every, chosenOn, lastFinishedOn })
        if (day === null || day > today) return
        const { id, dueOn, entries } = await open(tx, services, { customerNumber, now, today, by: null })
        await writeAudit(tx, contextOfPortal(now), {
          action: 'access-review.open',
          customerNumber,
          target: id,
          after: { dueOn, entries },
        })
        return
      }
      const key = { customerNumber, reviewId: review.review_id }
      const { opened_on: openedOn, due_on: dueOn, told_days: told } = review
      const left = dueReminder({ openedOn, dueOn, told }, today)
      if (left === undefined) return
      const { open: undecided } = await countDecisions(tx, key)
      await updateReview(tx, key, { told_days: left })
      await mailReminder(tx, services, { customerNumber, dueOn, undecided }, left)
    }),
  )
}
