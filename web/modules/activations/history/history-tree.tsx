import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ACTION_WORDS } from '#domain/activations/history/history-groups.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { LOADING_HISTORY } from '#domain/activations/seats/activation-texts.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { countOf, timeText } from '#web/lib/format.ts'
import { type HostHistory, historyQuery, WHOLE_HISTORY } from '#web/modules/activations/history/host-history.api.ts'
import { EndDay, peopleText } from '#web/modules/activations/history/lines.tsx'
import { entitlementCell } from '#web/parts/entitlement/entitlement-cell.tsx'
import { personCell } from '#web/parts/entitlement/two-lines.tsx'
import { countColumn, dayColumn, textColumn, timeColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import type { ChildRows } from '#web/table/rows/child-rows.ts'
import { useTable } from '#web/table/use-table.ts'
import { Spinner } from '#web/ui/spinner.tsx'

/** A group of entries, or what one person did with one entitlement in it. */
export type TreeRow = {
  readonly id: string
  readonly time: string
  readonly modifiedby: string
  readonly action: string
  readonly entitlement: string
  /** Set for rows of one entitlement. */
  readonly product?: { readonly name: string; readonly activationId: string }
  readonly count: number
  readonly startdate: string
  readonly enddate: string
  readonly children: readonly TreeRow[]
}

const FIELDS = {
  time: { type: 'instant' },
  modifiedby: { type: 'text' },
  action: { type: 'text' },
  entitlement: { type: 'text' },
  count: { type: 'number' },
  startdate: { type: 'text' },
  enddate: { type: 'text' },
} as const satisfies Fields

/** Wide enough for what is in them, and together as wide as a window of 1280 pixels allows. */
const COLUMNS = withoutFilters<TreeRow>([
  timeColumn('time', 'Time', 182, { phone: 'first line' }),
  textColumn('modifiedby', 'Modified By', 138, { cell: (row) => personCell(peopleText(row.modifiedby)) }),
  textColumn('action', 'Action', 92, { phone: 'first line' }),
  textColumn('entitlement', 'Entitlement', 168, {
    flexible: { min: 168 },
    phone: 'second line',
    cell: ({ product, entitlement }) =>
      product ? entitlementCell({ product: product.name, activationId: product.activationId }) : entitlement,
  }),
  countColumn('count', 'Count', 56),
  dayColumn('startdate', 'Start Date', 98),
  dayColumn('enddate', 'Expiration Date', 138, { cell: (row) => <EndDay text={row.enddate} /> }),
])

const NEWEST_FIRST = [{ column: 'time', direction: 'desc' }] as const

const CHILDREN: ChildRows<TreeRow> = {
  has: ({ children }) => children.length > 0,
  key: ({ id }) => ['history-rows', id],
  load: async ({ children }) => children,
}

type Props = { customerNumber: string; host: HostIdentity; filter: string }

export function HistoryTree({ customerNumber, host, filter }: Props) {
  const query = useQuery(historyQuery(customerNumber, host, filter))
  const rows = useMemo(
    () => query.data && treeRows(query.data, `${customerNumber} ${filter} ${query.dataUpdatedAt}`),
    [query.data],
  )
  const source = useMemo(
    () => loadedSource(['tree', host.serverId, filter], FIELDS, { ...query, data: rows }),
    [host.serverId, filter, rows, query.error],
  )
  const table = useTable({ columns: COLUMNS, rowKey, source, naturalSorting: NEWEST_FIRST })
  if (query.isPending) return <Spinner text={LOADING_HISTORY} />
  return (
    <>
      <DataTable
        table={table}
        isPlain
        isTwoLine
        label={`History of ${host.serverName.replaceAll(',', ', ')}`}
        what="changes"
        noRows={
          filter === WHOLE_HISTORY
            ? 'Nothing was activated or returned on this license server yet.'
            : 'Nothing in the history of this license server matches the filters.'
        }
        rowName={rowName}
        childRows={CHILDREN}
      />
      {query.data && !query.data.isComplete && (
        <Text size="sm" c="dimmed" mt="0.5rem">
          Only the newest 10,000 entries are shown. The CSV file has all of them.
        </Text>
      )}
    </>
  )
}

/** Changes that were made together are one row, with their entitlements below it. */
export function treeRows({ hostId, groups }: HostHistory, version: string): TreeRow[] {
  return groups.map(({ time, modifiedby, action, rows }, at) => {
    const id = `${version} ${hostId} ${at}`
    const entries = rows.map(
      (row): TreeRow => ({
        id: `${id} ${row.activationid} ${row.modifiedby} ${row.action}`,
        time: row.time,
        modifiedby: row.modifiedby,
        action: wordOf(row.action),
        entitlement: `${row.ansysproduct} ${row.activationid}`,
        product: { name: row.ansysproduct, activationId: row.activationid },
        count: row.count,
        startdate: row.startdate,
        enddate: row.enddate,
        children: [],
      }),
    )
    const [only] = entries
    if (entries.length === 1 && only) return only
    return {
      id,
      time,
      modifiedby: modifiedby.join(', '),
      action: action.map(wordOf).join(', '),
      entitlement: countOf(new Set(rows.map(({ activationid }) => activationid)).size, 'entitlement'),
      count: entries.reduce((sum, { count }) => sum + count, 0),
      startdate: '',
      enddate: '',
      children: entries,
    }
  })
}

const wordOf = (action: string) => ACTION_WORDS[action as FulfillmentAction] ?? action
const rowKey = (row: TreeRow) => row.id
const rowName = (row: TreeRow) => `${timeText(row.time)} ${row.entitlement}`
