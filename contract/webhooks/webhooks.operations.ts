import { operationsOf } from '#contract/kit/operations-of.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'

export const webhooksOperations = operationsOf(webhooks)
