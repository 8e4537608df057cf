import { contractList, listContracts } from '#contract/fsa/contracts.ts'
import * as drafts from '#contract/fsa/drafts.ts'
import { fsaEntitlementList, listFsaEntitlements } from '#contract/fsa/entitlements.ts'
import { historyList } from '#contract/fsa/history-list.ts'
import { orderEntitlements as orderOperation } from '#contract/fsa/order-entitlements.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import { can } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { listFsaPrices } from '#server/modules/catalog/catalog.public.ts'
import { deleteDraft, saveDraft } from '#server/modules/fsa/change-drafts.ts'
import { contractSource } from '#server/modules/fsa/contract.list.ts'
import { listContractRows } from '#server/modules/fsa/contracts.queries.ts'
import { listDraftRows } from '#server/modules/fsa/drafts.queries.ts'
import { judgeDrafts, seesDraft, toDraft } from '#server/modules/fsa/drafts.ts'
import { fsaEntitlementSource } from '#server/modules/fsa/entitlement.list.ts'
import { type EntryScope, listAdjustmentDays, listEntries } from '#server/modules/fsa/entries.queries.ts'
import { exportHistory } from '#server/modules/fsa/export-history.ts'
import { toProducts, toWireContract, toWireEntry } from '#server/modules/fsa/fsa.mapping.ts'
import { historySource } from '#server/modules/fsa/history.list.ts'
import { orderEntitlements } from '#server/modules/fsa/order-entitlements.ts'
import { quoteDraft, quoteDraftAsPdf } from '#server/modules/fsa/quote-draft.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export const fsaModule: Module = {
  name: 'fsa',
  mayUse: ['accounts', 'entitlements'],
  routes,
}

function routes(route: Route): void {
  route(orderOperation, orderEntitlements)
  route(listContracts, async ({ body, db }) => {
    const rows = await listContractRows(db, body.customerNumber)
    const prices = await listFsaPrices(db, [...new Set(rows.map(({ currency }) => currency))])
    return { data: rows.map((row) => toWireContract(row, toProducts(prices, row.currency))) }
  })
  route(listFsaEntitlements, async ({ actor, db, standing, timeZone }) => {
    const scope = entryScope(actor, standing)
    const entries = await listEntries(db, scope, MAX_FETCH_ALL + 1)
    if (entries.length > MAX_FETCH_ALL) throw tooManyRows()
    const days = scope.seesManual ? [] : await listAdjustmentDays(db, scope.customerNumber, timeZone)
    const byContract = Map.groupBy(days, ({ fsa_id }) => fsa_id)
    return {
      data: entries.map((row) => toWireEntry(row, row.is_manual ? byContract.get(row.fsa_id ?? '') : undefined)),
    }
  })
  routeList(route, contractList, {
    source: contractSource,
    scope: ({ standing: { customerNumber } }) => ({ customerNumber }),
  })
  routeList(route, fsaEntitlementList, {
    source: fsaEntitlementSource,
    scope: ({ actor, standing }) => entryScope(actor, standing),
  })
  route(drafts.listDrafts, async ({ actor, db, now, standing, timeZone }) => {
    const { customerNumber } = standing
    const isBusops = can(actor, 'fsa.manual-lines', standing).allowed
    const rows = (await listDraftRows(db, customerNumber)).filter((row) => seesDraft(isBusops, row))
    const judged = await judgeDrafts(db, rows, { customerNumber, today: dayIn(timeZone, now), isBusops })
    return { data: judged.map(toDraft) }
  })
  route(drafts.saveDraft, saveDraft)
  route(drafts.deleteDraft, deleteDraft)
  route(drafts.quoteDraft, quoteDraft)
  route(drafts.quoteDraftAsPdf, quoteDraftAsPdf)
  routeList(route, historyList, {
    source: historySource,
    scope: ({ actor, standing }) => entryScope(actor, standing),
    exportCsv: (call) => exportHistory(call, entryScope(call.actor, call.standing)),
  })
}

function entryScope(actor: Actor, standing: Standing): EntryScope {
  return {
    customerNumber: standing.customerNumber,
    seesManual: can(actor, 'fsa.manual-lines', standing).allowed,
  }
}
