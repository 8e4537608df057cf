import { operationsOf } from '#contract/kit/operations-of.ts'
import * as getSetup from '#contract/setup/get-setup.ts'

export const setupOperations = operationsOf(getSetup)
