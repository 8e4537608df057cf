import * as accessReview from '#contract/access-review/access-review.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const accessReviewOperations = operationsOf(accessReview)
