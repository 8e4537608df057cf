import { operationsOf } from '#contract/kit/operations-of.ts'
import * as requests from '#contract/requests/requests.ts'

export const requestsOperations = operationsOf(requests)
