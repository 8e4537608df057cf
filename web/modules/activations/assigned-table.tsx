import { Button } from '@mantine/core'
import { useMemo } from 'react'
import {
  type CustomerActivations,
  toggleAllAssigned,
  toggleAssigned,
} from '#domain/activations/activation-selection.ts'
import { assignedToggleText, rowButtonText } from '#domain/activations/selection-texts.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import {
  ACTIVATION_FIELDS,
  type AssignedTableRow,
  assignedColumns,
  toTableRow,
} from '#web/modules/activations/activation-columns.tsx'
import { RowButton } from '#web/modules/activations/row-button.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'

type Props = {
  tab: CustomerActivations
  isLocked: boolean
  onChange(update: (tab: CustomerActivations) => CustomerActivations): void
}

/** What the host holds. Remove strikes a row through until the save. */
export function AssignedTable({ tab, isLocked, onChange }: Props) {
  const { today } = useKnownCustomer().info
  const rows = useMemo(() => tab.assigned.map(toTableRow(today)), [tab.assigned, today])
  const source = useMemo(() => rowsSource(['assigned'], ACTIVATION_FIELDS, rows), [rows])
  const columns = useMemo(() => assignedColumns(today), [today])
  const table = useTable<AssignedTableRow>({ columns, rowKey, source, sorting: BY_PRODUCT })
  return (
    <DataTable
      table={table}
      title="Assigned Entitlements"
      label="Assigned Entitlements"
      what="assigned entitlements"
      noRows="Nothing is activated on this host yet. Choose products below."
      rowName={rowName}
      isTwoLine
      rowState={rowState}
      rowActions={(row) => (
        <RowButton
          text={rowButtonText(row)}
          name={rowName(row)}
          isDisabled={isLocked}
          onClick={() => onChange((now) => toggleAssigned(now, row.activationid))}
        />
      )}
      actions={
        <Button
          size="xs"
          variant="default"
          disabled={isLocked || rows.length === 0}
          onClick={() => onChange(toggleAllAssigned)}
        >
          {assignedToggleText(tab)}
        </Button>
      }
    />
  )
}

const BY_PRODUCT = [{ column: 'entitlement', direction: 'asc' }] as const
const rowKey = (row: AssignedTableRow) => row.activationid
const rowName = (row: AssignedTableRow) => row.entitlement
const rowState = (row: AssignedTableRow) => (row.selected ? undefined : ('removed' as const))
