import type { Static, TProperties } from 'typebox'
import { type List, type ListFields, MAX_DISTINCT, type WireRow } from '#contract/kit/list.ts'
import type { Access } from '#contract/kit/operation.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { ask, call } from '#web/lib/api/api-client.ts'
import type { ListSource } from '#web/table/list/list-source.ts'

type Options<F extends ListFields, A extends keyof F & string, Values> = {
  key: readonly unknown[]
  /** What the table shows, filters by or identifies rows by; the rest stays on the server. All fields unless named. */
  attributes?: readonly A[]
  /** Another list whose distinct values are meant, where the list itself offers none. */
  valuesFrom?: Values
  /** Gets the rows of every page as soon as they arrive, those of prefetched pages among them. */
  onRows?(rows: readonly Pick<WireRow<F>, A>[]): void
}

/** The browser's side of a list that the contract declares: `scope` says whose rows are meant. */
export function sourceOf<
  X extends Access,
  P extends TProperties,
  F extends ListFields,
  C extends TProperties,
  A extends keyof F & string = keyof F & string,
>(
  list: List<X, P, F, C>,
  scope: { [K in keyof P]: Static<P[K]> } | Partial<{ [K in keyof P]: Static<P[K]> }>,
  { key, attributes, valuesFrom, onRows }: Options<F, A, Pick<List<X, P, F, C>, 'distinct'>>,
): ListSource<Pick<WireRow<F>, A>> {
  type Row = Pick<WireRow<F>, A>
  return {
    key,
    fields: list.fields,
    defaultSort: list.defaultSort,
    async fetchPage({ filter, sorting, from, limit, signal }) {
      const body = { ...scope, filter, sorting: [...sorting], limit, ...from, ...(attributes ? { attributes } : {}) }
      const { data, token } = await ask(list.page.name as 'getemails', { body, signal } as never)
      const rows = data as unknown as Row[]
      onRows?.(rows)
      return { rows, token: token as string | null }
    },
    count: ({ filter, signal }) =>
      call(list.count.name as 'getemails/count', { body: { ...scope, filter }, signal } as never),
    ...(list.adds
      ? {
          sum: ({ filter, signal }: { filter: FilterInput; signal: AbortSignal }) =>
            call(list.sum.name as 'fetchUsage/sum', { body: { ...scope, filter }, signal } as never),
        }
      : {}),
    async distinct({ field, filter, signal }) {
      const body = { ...scope, filter, key: field, limit: MAX_DISTINCT }
      const values = await call((valuesFrom ?? list).distinct.name as 'getemails/distinct', { body, signal } as never)
      return values.map((value) => (value === null ? null : String(value)))
    },
  }
}
