import { operationsOf } from '#contract/kit/operations-of.ts'
import * as signInProviders from '#contract/sign-in-providers/sign-in-providers.ts'

export const signInProvidersOperations = operationsOf(signInProviders)
