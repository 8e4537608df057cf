import * as contracts from '#contract/fsa/contracts.ts'
import * as drafts from '#contract/fsa/drafts.ts'
import * as entitlements from '#contract/fsa/entitlements.ts'
import * as historyList from '#contract/fsa/history-list.ts'
import * as orderEntitlements from '#contract/fsa/order-entitlements.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const fsaOperations = operationsOf(contracts, drafts, entitlements, historyList, orderEntitlements)
