import { Button, Modal } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Fields } from '#domain/filter/fields.ts'
import type { Column } from '#web/table/columns/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import type { ChildRows } from '#web/table/rows/child-rows.ts'
import { useSelection } from '#web/table/rows/selection.ts'
import { useTable } from '#web/table/use-table.ts'

type Host = { id: string; name: string; isShared: boolean }
type Entry = { id: string; action: string; seats: number }

const HOSTS: readonly Host[] = Array.from({ length: 30 }, (_, index) => ({
  id: `h${index + 1}`,
  name: `host-${index + 1}`,
  isShared: index === 2,
}))
const HOST_FIELDS = { name: { type: 'text' } } as const satisfies Fields
const HOST_COLUMNS: readonly Column<Host>[] = [
  {
    id: 'name',
    header: 'Host',
    width: 260,
    flexible: { min: 200 },
    filter: 'text',
    phone: 'first line',
    text: (row) => row.name,
  },
  {
    id: 'hostId',
    header: 'Host ID',
    width: 180,
    kind: 'id',
    isSortable: false,
    text: (row) => `MAC_ADDRESS=${row.id}`,
  },
]

/** Hosts with their history in a panel, and a dialog that lists and edits. */
export function HostsTable() {
  const selection = useSelection()
  const [opened, setOpened] = useState<Host>()
  const source = useMemo(() => rowsSource(['hosts'], HOST_FIELDS, HOSTS), [])
  const table = useTable({ tableName: 'manageActivationsActive', columns: HOST_COLUMNS, rowKey, source })
  return (
    <>
      <DataTable
        table={table}
        label="Hosts"
        what="hosts"
        rowName={nameOf}
        noRows="There are no hosts."
        detail={historyOf}
        selection={selection}
        canSelect={isOwn}
        rowActions={(row) => (
          <Button size="compact-xs" aria-label={`Change ${row.name}`} onClick={() => setOpened(row)}>
            Change
          </Button>
        )}
      />
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={`Change ${opened?.name}`}
        size="lg"
      >
        <SeatsTable />
      </Modal>
    </>
  )
}

const rowKey = (row: Host) => row.id
const nameOf = (row: Host) => row.name
const isOwn = (row: Host) => !row.isShared
const historyOf = (row: Host) => <History host={row} />

const entryColumns = (commit?: (entry: Entry, seats: string) => void): readonly Column<Entry>[] => [
  { id: 'action', header: 'Action', width: 220, flexible: { min: 160 }, text: (row) => row.action },
  {
    id: 'seats',
    header: 'Seats',
    width: 110,
    kind: 'number',
    text: (row) => String(row.seats),
    ...(commit && {
      editor: {
        value: (row: Entry) => String(row.seats),
        errorOf: (_: Entry, value: string) => (Number(value) > 5 ? 'Only 5 seats are available.' : undefined),
        onCommit: commit,
      },
    }),
  },
]
const ENTRY_COLUMNS = entryColumns()
const ENTRY_FIELDS = { action: { type: 'text' }, seats: { type: 'number' } } as const satisfies Fields
const entryKey = (row: Entry) => row.id
const CHANGES: ChildRows<Entry> = {
  has: (row) => !row.id.includes('.'),
  key: (row) => ['changes', row.id],
  load: async (row) => [{ id: `${row.id}.1`, action: 'Activated', seats: 2 }],
}

function History({ host }: { host: Host }) {
  const source = useMemo(() => rowsSource(['history', host.id], ENTRY_FIELDS, entriesOf(host.id)), [host.id])
  const table = useTable({ columns: ENTRY_COLUMNS, rowKey: entryKey, source })
  return (
    <DataTable
      table={table}
      isPlain
      label={`History of ${host.name}`}
      what="changes"
      noRows="Nothing was changed."
      rowName={(row) => row.action}
      childRows={CHANGES}
    />
  )
}

function SeatsTable() {
  const [rows, setRows] = useState(() => entriesOf('seats'))
  const columns = useMemo(
    () =>
      entryColumns((entry, seats) =>
        setRows((now) => now.map((one) => (one.id === entry.id ? { ...one, seats: Number(seats) } : one))),
      ),
    [],
  )
  const source = useMemo(() => rowsSource(['seats'], ENTRY_FIELDS, rows), [rows])
  const table = useTable({ columns, rowKey: entryKey, source })
  const total = rows.reduce((sum, row) => sum + row.seats, 0)
  return <DataTable table={table} isPlain label="Seats" what="entries" noRows="No seats." totals={[{ seats: total }]} />
}

const entriesOf = (host: string): readonly Entry[] =>
  ['Rehosted', 'Generated', 'Emailed'].map((action, index) => ({ id: `${host}-${index}`, action, seats: index + 1 }))
