import { operationsOf } from '#contract/kit/operations-of.ts'
import * as upkeep from '#contract/upkeep/upkeep.ts'

export const upkeepOperations = operationsOf(upkeep)
