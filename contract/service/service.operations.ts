import { operationsOf } from '#contract/kit/operations-of.ts'
import * as whoami from '#contract/service/whoami.ts'

export const serviceOperations = operationsOf(whoami)
