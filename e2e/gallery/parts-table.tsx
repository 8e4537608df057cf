import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Fields } from '#domain/filter/fields.ts'
import type { Column } from '#web/table/columns/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import type { ChildRows } from '#web/table/rows/child-rows.ts'
import { useSelection } from '#web/table/rows/selection.ts'
import { useTable } from '#web/table/use-table.ts'

type Part = { id: string; name: string; quantity: number; state: string; due: string; depth: number }

const FIELDS = {
  name: { type: 'text' },
  quantity: { type: 'number' },
  state: { type: 'text' },
  due: { type: 'day' },
} as const satisfies Fields

const DEEPEST = 3

function partsBelow(parent: string, depth: number, count: number): Part[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${parent}${index + 1}`,
    name: `Part ${parent}${index + 1}`,
    quantity: index + 1,
    state: 'Planned',
    due: `2026-01-${String(index + 1).padStart(2, '0')}`,
    depth,
  }))
}

const COLUMNS: readonly Column<Part>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 260,
    flexible: { min: 200 },
    isSticky: true,
    filter: 'text',
    phone: 'first line',
    text: (row) => row.name,
  },
  {
    id: 'quantity',
    header: 'Quantity',
    width: 110,
    kind: 'number',
    filter: 'number',
    phone: 'second line',
    text: (row) => String(row.quantity),
  },
  {
    id: 'state',
    header: 'State',
    width: 140,
    filter: { kind: 'text', hasValues: true },
    phone: 'second line',
    text: (row) => row.state,
  },
  {
    id: 'due',
    header: 'Due',
    width: 150,
    kind: 'date',
    filter: 'day',
    text: (row) => row.due,
  },
  {
    id: 'note',
    header: 'Note',
    width: 200,
    isSortable: false,
    text: (row) => `Note on ${row.name}`,
  },
]

/** A tree, selection, totals, rows to remove. */
export function PartsTable() {
  const [rows, setRows] = useState<readonly Part[]>(() => partsBelow('', 0, 45))
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const selection = useSelection()
  const source = useMemo(() => rowsSource(['parts'], FIELDS, rows), [rows])
  const table = useTable({ tableName: 'fsaActiveEntitlements', columns: COLUMNS, rowKey, source })
  const shown = table.list.rows ?? []
  return (
    <DataTable
      table={table}
      title="Parts"
      what="parts"
      rowName={nameOf}
      noRows="There are no parts."
      childRows={CHILDREN}
      selection={selection}
      rowState={(row) => (removed.has(row.id) ? 'removed' : undefined)}
      rowActions={(row) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${removed.has(row.id) ? 'Keep' : 'Remove'} ${row.name}`}
          onClick={() => setRemoved(toggled(removed, row.id))}
        >
          {removed.has(row.id) ? 'Undo' : 'Remove'}
        </Button>
      )}
      totals={[{ quantity: shown.reduce((sum, row) => sum + row.quantity, 0) }]}
      actions={
        <Button size="xs" variant="default" onClick={() => setRows(rows.map((row) => ({ ...row, id: `${row.id}b` })))}>
          Reload with other rows
        </Button>
      }
    />
  )
}

const rowKey = (row: Part) => row.id
const nameOf = (row: Part) => row.name

const CHILDREN: ChildRows<Part> = {
  has: (row) => row.depth < DEEPEST,
  key: (row) => ['parts-below', row.id],
  load: async (row) => partsBelow(`${row.id}.`, row.depth + 1, 2),
}

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}
