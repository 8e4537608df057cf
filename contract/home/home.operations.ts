import * as accountHome from '#contract/home/account-home.ts'
import * as accountsHome from '#contract/home/accounts-home.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const homeOperations = operationsOf(accountHome, accountsHome)
