import { operationsOf } from '#contract/kit/operations-of.ts'
import * as optimization from '#contract/optimization/optimization.ts'

export const optimizationOperations = operationsOf(optimization)
