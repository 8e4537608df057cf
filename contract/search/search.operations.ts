import { operationsOf } from '#contract/kit/operations-of.ts'
import * as search from '#contract/search/search.ts'

export const searchOperations = operationsOf(search)
