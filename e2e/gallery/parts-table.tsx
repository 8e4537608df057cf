import { Button } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import type { Fields } from '#domain/filter/fields.ts'
import { CONTAINS_OR_EQUALS, type Column } from '#web/table/columns/column.ts'
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

const STATES = ['Planned', 'Ordered', 'Delivered'].map((value) => ({ value, label: value }))
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

/** What activations and spending accounts will need: a tree, selection, editing, rows to add and to remove. */
export function PartsTable() {
  const [rows, setRows] = useState<readonly Part[]>(() => partsBelow('', 0, 45))
  const [added, setAdded] = useState<readonly Part[]>([])
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const selection = useSelection()
  const edit = useCallback((changed: Part) => {
    const replace = (all: readonly Part[]) => all.map((one) => (one.id === changed.id ? changed : one))
    setRows(replace)
    setAdded(replace)
  }, [])
  const columns = useMemo(() => partColumns(edit), [edit])
  const source = useMemo(() => rowsSource(['parts'], FIELDS, rows), [rows])
  const table = useTable({ tableName: 'fsaActiveEntitlements', columns, rowKey, source })
  const shown = table.list.rows ?? []
  return (
    <DataTable
      table={table}
      title="Parts"
      label="Parts"
      what="parts"
      rowName={nameOf}
      noRows="There are no parts."
      childRows={CHILDREN}
      selection={selection}
      localRows={added}
      rowState={(row) => (removed.has(row.id) ? 'removed' : added.includes(row) ? 'new' : undefined)}
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
        <>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              const id = `new${added.length + 1}`
              setAdded([...added, { id, name: `New ${id}`, quantity: 1, state: 'Planned', due: '', depth: DEEPEST }])
            }}
          >
            Add part
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => setRows(rows.map((row) => ({ ...row, id: `${row.id}b` })))}
          >
            Reload with other rows
          </Button>
        </>
      }
    />
  )
}

function partColumns(edit: (part: Part) => void): readonly Column<Part>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 260,
      flexible: { min: 200, max: 500 },
      isSticky: true,
      filter: { kind: 'text', methods: CONTAINS_OR_EQUALS },
      phone: 'first line',
      text: (row) => row.name,
    },
    {
      id: 'quantity',
      header: 'Quantity',
      width: 110,
      kind: 'number',
      filter: { kind: 'number' },
      phone: 'second line',
      text: (row) => String(row.quantity),
      editor: {
        kind: 'whole number',
        value: (row) => String(row.quantity),
        errorOf: (_, value) => (Number(value) > 100 ? 'At most 100 fit.' : undefined),
        onCommit: (row, value) => edit({ ...row, quantity: Number(value) }),
      },
    },
    {
      id: 'state',
      header: 'State',
      width: 140,
      filter: { kind: 'text', methods: CONTAINS_OR_EQUALS, hasValues: true },
      phone: 'second line',
      text: (row) => row.state,
      editor: {
        kind: 'choice',
        options: STATES,
        value: (row) => row.state,
        onCommit: (row, state) => edit({ ...row, state }),
      },
    },
    {
      id: 'due',
      header: 'Due',
      width: 150,
      kind: 'date',
      filter: { kind: 'day' },
      text: (row) => row.due,
      editor: { kind: 'date', value: (row) => row.due, onCommit: (row, due) => edit({ ...row, due }) },
    },
    {
      id: 'note',
      header: 'Note',
      width: 200,
      isSortable: false,
      text: (row) => `Note on ${row.name}`,
      editor: { kind: 'text', value: (row) => row.name, onCommit: (row, name) => edit({ ...row, name }) },
    },
  ]
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
