import { operationsOf } from '#contract/kit/operations-of.ts'
import * as tokens from '#contract/tokens/tokens.ts'

export const tokensOperations = operationsOf(tokens)
