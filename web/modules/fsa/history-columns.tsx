import type { HistoryRow } from '#contract/fsa/history-list.ts'
import { amountText, countText, timeText } from '#web/lib/format.ts'
import { CONTAINS_OR_EQUALS, type Column, EQUALS_ONLY } from '#web/table/columns/column.ts'
import { EntitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const
const number = { kind: 'number' } as const
const day = { kind: 'day' } as const

export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  {
    id: 'ansysproduct',
    header: 'Entitlement',
    width: 270,
    flexible: { min: 240, max: 480 },
    filter: text,
    isSticky: true,
    phone: 'first line',
    text: (row) => `${row.ansysproduct} ${row.entitlementId}`.trim(),
    // What business operations booked by hand is one line without an id.
    cell: (row) =>
      row.entitlementId === '' ? (
        row.ansysproduct
      ) : (
        <EntitlementCell product={row.ansysproduct} activationId={row.entitlementId} idName="entitlement ID" />
      ),
  },
  { id: 'fsaId', header: 'FSA Contract', width: 204, kind: 'id', filter: text, text: (row) => row.fsaId },
  {
    id: 'orderdate',
    header: 'Order Date',
    width: 172,
    kind: 'date',
    filter: { kind: 'time' },
    phone: 'second line',
    text: (row) => timeText(row.orderdate),
  },
  { id: 'count', header: 'Count', width: 84, kind: 'number', filter: number, text: (row) => countText(row.count) },
  { id: 'startdate', header: 'Start Date', width: 108, kind: 'date', filter: day, text: (row) => row.startdate },
  { id: 'enddate', header: 'Expiration Date', width: 132, kind: 'date', filter: day, text: (row) => row.enddate },
  {
    id: 'cost',
    header: 'Cost',
    width: 104,
    kind: 'number',
    filter: number,
    phone: 'first line',
    text: (row) => amountText(row.cost),
  },
  {
    id: 'currency',
    header: 'Currency',
    width: 96,
    filter: { kind: 'text', methods: EQUALS_ONLY, hasValues: true },
    phone: 'second line',
    text: (row) => row.currency,
  },
  { id: 'requester', header: 'Requester', width: 220, filter: text, text: (row) => row.requester },
]
