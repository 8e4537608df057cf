import { operationsOf } from '#contract/kit/operations-of.ts'
import * as failedMessages from '#contract/outbox/failed-messages.ts'

export const outboxOperations = operationsOf(failedMessages)
