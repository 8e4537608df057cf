import { listContracts } from '#contract/fsa/contracts.ts'
import { listFsaEntitlements } from '#contract/fsa/entitlements.ts'
import { historyList } from '#contract/fsa/history-list.ts'
import { orderEntitlements as orderOperation } from '#contract/fsa/order-entitlements.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import { can } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { listFsaPrices } from '#server/modules/catalog/catalog.public.ts'
import { listContractRows } from '#server/modules/fsa/contracts.queries.ts'
import { type EntryScope, listEntries } from '#server/modules/fsa/entries.queries.ts'
import { exportHistory } from '#server/modules/fsa/export-history.ts'
import { toProducts, toWireContract, toWireEntry } from '#server/modules/fsa/fsa.mapping.ts'
import { historySource } from '#server/modules/fsa/history.list.ts'
import { orderEntitlements } from '#server/modules/fsa/order-entitlements.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export function fsaRoutes(route: Route): void {
  route(orderOperation, orderEntitlements)
  route(listContracts, async ({ body, db }) => {
    const rows = await listContractRows(db, body.customerNumber)
    const prices = await listFsaPrices(db, [...new Set(rows.map(({ currency }) => currency))])
    return { data: rows.map((row) => toWireContract(row, toProducts(prices, row.currency))) }
  })
  route(listFsaEntitlements, async ({ actor, db, standing }) => {
    const entries = await listEntries(db, entryScope(actor, standing), MAX_FETCH_ALL + 1)
    if (entries.length > MAX_FETCH_ALL) throw tooManyRows()
    return { data: entries.map(toWireEntry) }
  })
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
