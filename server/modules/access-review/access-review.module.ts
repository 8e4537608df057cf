import * as contract from '#contract/access-review/access-review.ts'
import { accessSource, reviewSource } from '#server/modules/access-review/access.list.ts'
import { findReview, toEntries } from '#server/modules/access-review/access-review.queries.ts'
import { decideAccess, noSuchReview } from '#server/modules/access-review/decide-access.ts'
import { finishReview } from '#server/modules/access-review/finish-review.ts'
import { loadAccess } from '#server/modules/access-review/load-access.ts'
import { loadState, openReview } from '#server/modules/access-review/open-review.ts'
import { reviewFilesJob, sendReviewFile } from '#server/modules/access-review/review-files.ts'
import { saveReviewSettings } from '#server/modules/access-review/review-settings.ts'
import { runReviews } from '#server/modules/access-review/run-reviews.ts'
import type { Module } from '#server/modules/module.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { defineJob } from '#server/tasks/job.ts'

/** The day of an account may begin in any quarter of an hour. */
const accessReviewsJob = defineJob({
  queue: 'access-reviews',
  cron: '*/5 * * * *',
  run: (_data, services, { signal }) => runReviews(services, signal),
})

export const accessReviewModule: Module = {
  name: 'access-review',
  mayUse: ['accounts', 'web-licenses', 'reminders', 'staff', 'leavers'],
  jobs: [accessReviewsJob, reviewFilesJob],
  routes,
}

const CSV_COLUMNS = [
  ['name', 'Access'],
  ['kind', 'Kind'],
  ['role', 'Role'],
  ['holder', 'Person'],
  ['source', 'Source'],
  ['givenBy', 'Given By'],
  ['since', 'Since'],
  ['lastUsed', 'Last Used'],
  ['isUnused', 'Unused For 90 Days'],
  ['decision', 'Decision'],
  ['decidedBy', 'Decided By'],
  ['decidedAt', 'Decided'],
  ['reason', 'Reason'],
] as const

type ListCall = Pick<Call<typeof contract.accessList.page>, 'body' | 'db' | 'now' | 'standing'>

/** Without a review, what has access now. */
async function scopeOf({ body, db, now, standing: { customerNumber } }: ListCall) {
  const { reviewId } = body
  if (reviewId === undefined) {
    const entries = toEntries(await loadAccess(db, customerNumber, now), now)
    return { customerNumber, reviewId: '', now: JSON.stringify(entries) }
  }
  if (!(await findReview(db, { customerNumber, reviewId }))) throw noSuchReview()
  return { customerNumber, reviewId, now: '' }
}

async function exportAccess(call: Call<typeof contract.accessList.exportCsv>) {
  const scope = await scopeOf(call)
  const fileName = `access_${scope.customerNumber}_${call.now.toISOString().slice(0, 10)}.csv`
  return csvListAnswer(call, fileName, { source: accessSource, scope, columns: CSV_COLUMNS })
}

function routes(route: Route): void {
  routeList(route, contract.accessList, {
    source: accessSource,
    scope: scopeOf,
    exportCsv: exportAccess,
  })
  routeList(route, contract.reviewList, {
    source: reviewSource,
    scope: ({ standing: { customerNumber } }) => ({ customerNumber }),
  })
  route(contract.getReviewState, async (call) => ({ data: await loadState(call) }))
  route(contract.openReview, openReview)
  route(contract.decideAccess, decideAccess)
  route(contract.finishReview, finishReview)
  route(contract.saveReviewSettings, saveReviewSettings)
  route(contract.getReviewPdf, (call) => sendReviewFile(call, 'pdf'))
  route(contract.getReviewCsv, (call) => sendReviewFile(call, 'csv'))
  route(contract.getReviewSignature, (call) => sendReviewFile(call, 'signature'))
}
