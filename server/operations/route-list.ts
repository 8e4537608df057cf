import type { TProperties } from 'typebox'
import type { ListFields as DeclaredFields, List } from '#contract/kit/list.ts'
import type { Access } from '#contract/kit/operation.ts'
import { successJson } from '#server/http/envelope.ts'
import type { ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'
import type { Call, Handler, Route } from '#server/operations/route.ts'

// biome-ignore lint/suspicious/noExplicitAny: stands for every list, whatever its scope and fields are
type AnyList = List<any, any, any, any>

type Source<L extends AnyList, S extends ListScope> = {
  readonly source: ListSource<S, ListFields>
  /** Whose rows the call is about: what the caller may see, and never more. */
  scope(call: Call<L['page']>): S | Promise<S>
  /** The scope of calls that read many rows, where something is worth looking up first. */
  wideScope?(call: Call<L['count']>): Promise<S>
  /** How the list is exported, if the contract declares an export. */
  readonly exportCsv?: Handler<L['exportCsv']>
}

/** Registers all operations of a declared list: page, count, sums, distinct values and CSV. */
export function routeList<
  A extends Access,
  P extends TProperties,
  F extends DeclaredFields,
  C extends TProperties,
  S extends ListScope,
>(route: Route, list: List<A, P, F, C>, { source, scope, wideScope, exportCsv }: Source<List<A, P, F, C>, S>): void {
  const offers = (operation: { readonly name: string }) => list.operations.some(({ name }) => name === operation.name)
  const wide = (call: Call<List<A, P, F, C>['count']>) => wideScope?.(call) ?? scope(call as never)

  if (offers(list.page))
    route(list.page, async (call) => {
      const { json, token } = await call.services.lists.page(
        call.db,
        source,
        await scope(call),
        call.body,
        zoneOf(call),
      )
      return successJson(json, { token })
    })
  if (offers(list.count))
    route(list.count, async (call) => ({
      data: await call.services.lists.count(call.db, source, await wide(call), call.body, zoneOf(call)),
    }))
  const { adds } = list
  if (adds)
    route(list.sum, async (call) => ({
      data: await call.services.lists.sum(call.db, source, await wide(call as never), adds, call.body, zoneOf(call)),
    }))
  if (offers(list.distinct))
    route(list.distinct, async (call) => {
      const request = { key: list.distinctKey, ...call.body }
      const values = await call.services.lists.distinct(
        call.db,
        source,
        await wide(call as never),
        request,
        zoneOf(call),
      )
      return { data: values as (string | number | boolean | null)[], token: null }
    })
  if (offers(list.exportCsv)) {
    if (!exportCsv) throw new Error(`${list.name} can be exported, but nothing says how`)
    route(list.exportCsv, exportCsv)
  }
}

const zoneOf = ({ timeZone }: { readonly timeZone: string | undefined }) => (timeZone === undefined ? {} : { timeZone })
