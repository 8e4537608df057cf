import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { TableName } from '#contract/settings/table-names.ts'
import type { NamedView } from '#contract/settings/table-views.ts'
import { call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import type { ExtraFields } from '#web/table/view/table-address.ts'
import type { SavedColumns } from '#web/table/view/table-view.ts'

/** The named views of a table, for the menu that lists them. */
export type NamedViews = {
  /** Empty without an account: then nothing can be shared. */
  readonly customerNumber: string
  readonly tableName: TableName
  /** The one that is shown, as long as nothing is changed in it. */
  readonly shown: NamedView | undefined
  /** The id of the one with which the table opens. */
  readonly defaultView: string | undefined
  /** What is shown now, to be saved under a name. */
  readonly current: SavedColumns & ExtraFields
  /** Shows a named view; undefined shows the person's own view, which has no name. */
  choose(view: NamedView | undefined): void
  makeDefault(id: string | undefined): void
  linkTo(view: NamedView): string
}

const accountIn = (customerNumber: string) => (customerNumber ? { customerNumber } : {})

export const viewsQuery = (customerNumber: string, tableName: TableName) =>
  queryOptions({ ...query('tableviews', { body: { ...accountIn(customerNumber), tableName } }), staleTime: 60_000 })

type Of = Pick<NamedViews, 'customerNumber' | 'tableName'>
type Changes = { readonly name?: string; readonly isShared?: boolean; readonly view?: NamedView['view'] }

export const saveNewView = (
  { customerNumber, tableName }: Of,
  view: Pick<NamedView, 'name' | 'view'> & { isShared?: boolean },
  idempotencyKey: string,
) => {
  const { name, isShared = false, view: saved } = view
  return call('tableviews/add', {
    body: { ...accountIn(customerNumber), tableName, name, isShared, view: saved },
    idempotencyKey,
  })
}

export const saveViewChanges = ({ customerNumber }: Of, id: string, changes: Changes, idempotencyKey: string) =>
  call('tableviews/change', { body: { ...accountIn(customerNumber), id, ...changes }, idempotencyKey })

export const deleteView = ({ customerNumber }: Of, id: string, idempotencyKey: string) =>
  call('tableviews/remove', { body: { ...accountIn(customerNumber), id }, idempotencyKey })

/** Puts a saved view into the list, or takes one out. */
export function keepView(queries: QueryClient, of: Of, id: string, view?: NamedView): void {
  queries.setQueryData(viewsQuery(of.customerNumber, of.tableName).queryKey, (all = []) =>
    [...all.filter((one) => one.id !== id), ...(view ? [view] : [])].toSorted((one, other) =>
      one.name.localeCompare(other.name, 'en'),
    ),
  )
}
