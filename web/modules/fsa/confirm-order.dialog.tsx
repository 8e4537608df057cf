import { Button, Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { OrderDecision } from '#domain/fsa/check-order.ts'
import type { FsaContract } from '#domain/fsa/contract.ts'
import { countOf, MAX_LINES } from '#domain/fsa/order-line.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { EditedLine } from '#web/modules/fsa/edited-lines.ts'
import type { OrderAct } from '#web/modules/fsa/use-place-order.ts'
import { amountColumn, countColumn, dayColumn, textColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'

type Props = {
  act: OrderAct
  contract: FsaContract
  lines: readonly EditedLine[]
  decision: OrderDecision
  onConfirm(): void
  onClose(): void
}

type Row = {
  readonly key: number
  readonly id: string
  readonly ansysproduct: string
  readonly ansyscount: number
  readonly startdate: CalendarDay
  readonly enddate: CalendarDay
  readonly ansysprice: number
  readonly ansyscurrency: string
}

const FIELDS = {
  id: { type: 'text' },
  ansysproduct: { type: 'text' },
  ansyscount: { type: 'number' },
  startdate: { type: 'day' },
  enddate: { type: 'day' },
  ansysprice: { type: 'number' },
  ansyscurrency: { type: 'text' },
} as const satisfies Fields

const COLUMNS = withoutFilters<Row>([
  textColumn('id', 'Entitlement', 210),
  textColumn('ansysproduct', 'Product', 280, { flexible: { min: 200 }, phone: 'first line' }),
  countColumn('ansyscount', 'Count', 84, { phone: 'second line' }),
  dayColumn('startdate', 'Start Date', 112, { phone: 'second line' }),
  dayColumn('enddate', 'Expiration Date', 140, { phone: 'second line' }),
  amountColumn('ansysprice', 'Cost', 116, { currency: 'ansyscurrency', phone: 'first line' }),
  textColumn('ansyscurrency', 'Currency', 96),
])

const ACTS = { Order: 'Order Now', OrderAndActivate: 'Order and Activate' } as const

/** Shows what will be ordered before it is. */
export function ConfirmOrderDialog({ act, contract, lines, decision, onConfirm, onClose }: Props) {
  const rows = useMemo(() => lines.map((one) => rowOf(one, contract.fsaId)), [lines, contract.fsaId])
  const source = useMemo(() => rowsSource(['order'], FIELDS, rows), [rows])
  const table = useTable({ columns: COLUMNS, rowKey, source, pageSizes: PAGE_SIZES })
  const money = (amount: string) => `${formatDecimal(amount, 2)} ${contract.currency}`
  return (
    // A double click on the button that opens it must not close it again.
    <Dialog onClose={onClose} size={1200} title="Confirm the order" closeOnClickOutside={false}>
      <DataTable table={table} isPlain label="Products to order" what="products" noRows="Nothing to order." />
      <Text mt="1rem" ta="right" className="figures">
        Total cost {money(decision.totalCost)}. The balance after the order is {money(decision.balanceAfter)}.
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button data-autofocus onClick={onConfirm}>
          {ACTS[act]}
        </Button>
      </Group>
    </Dialog>
  )
}

const PAGE_SIZES = [MAX_LINES] as const
const rowKey = (row: Row) => String(row.key)

function rowOf({ key, line }: EditedLine, fsaId: string): Row {
  return {
    key,
    id: fsaId,
    ansysproduct: line.productName,
    ansyscount: countOf(line),
    startdate: line.startDate,
    enddate: line.endDate,
    ansysprice: Number(line.cost ?? 0),
    ansyscurrency: line.currency,
  }
}
