import { Button } from '@mantine/core'
import { useMemo } from 'react'
import {
  type CustomerActivations,
  toggleAllAssigned,
  toggleAssigned,
} from '#domain/activations/seats/activation-selection.ts'
import { assignedToggleText, rowButtonText } from '#domain/activations/seats/selection-texts.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import {
  ACTIVATION_FIELDS,
  type AssignedTableRow,
  assignedColumns,
  toTableRow,
} from '#web/modules/activations/seats/activation-columns.tsx'
import { RowButton } from '#web/modules/activations/seats/row-button.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props = {
  tab: CustomerActivations
  /** Why nothing can be changed now. */
  locked: string | undefined
  onChange(update: (tab: CustomerActivations) => CustomerActivations): void
}

/** What the host holds. Remove strikes a row through until the save. */
export function AssignedTable({ tab, locked, onChange }: Props) {
  const { today } = useKnownCustomer().info
  const rows = useMemo(() => tab.assigned.map(toTableRow(today)), [tab.assigned, today])
  const source = useMemo(() => rowsSource(['assigned'], ACTIVATION_FIELDS, rows), [rows])
  const columns = useMemo(() => assignedColumns(today), [today])
  const table = useTable<AssignedTableRow>({ columns, rowKey, source, sorting: BY_PRODUCT })
  return (
    <DataTable
      table={table}
      title="Assigned Entitlements"
      what="assigned entitlements"
      noRows={locked ? NOTHING_ACTIVATED : `${NOTHING_ACTIVATED} Choose products below.`}
      rowName={rowName}
      isTwoLine
      isDense
      rowState={rowState}
      actionsWidth={84}
      rowActions={(row) => (
        <RowButton
          text={rowButtonText(row)}
          name={rowName(row)}
          reason={locked}
          onClick={() => onChange((now) => toggleAssigned(now, row.activationid))}
        />
      )}
      actions={
        <ReasonTooltip reason={locked ?? (rows.length === 0 ? NOTHING_ACTIVATED : undefined)}>
          <Button size="xs" variant="default" onClick={() => onChange(toggleAllAssigned)}>
            {assignedToggleText(tab)}
          </Button>
        </ReasonTooltip>
      }
    />
  )
}

const NOTHING_ACTIVATED = 'Nothing is activated on this license server yet.'
const BY_PRODUCT = [{ column: 'entitlement', direction: 'asc' }] as const
const rowKey = (row: AssignedTableRow) => row.activationid
const rowName = (row: AssignedTableRow) => row.entitlement
const rowState = (row: AssignedTableRow) => (row.selected ? undefined : ('removed' as const))
