import { operationsOf } from '#contract/kit/operations-of.ts'
import * as planner from '#contract/planner/planner.ts'

export const plannerOperations = operationsOf(planner)
