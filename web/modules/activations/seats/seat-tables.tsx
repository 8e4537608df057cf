import { Button } from '@mantine/core'
import { useEffectEvent, useMemo } from 'react'
import {
  type CustomerActivations,
  chooseProducts,
  chosenProducts,
  isEverythingAdded,
  offeredProducts,
  setQuantity,
  toggleAllAssigned,
  toggleAllAvailable,
  toggleAssigned,
  toggleAvailable,
} from '#domain/activations/seats/activation-selection.ts'
import { NO_NEW_ENTITLEMENTS } from '#domain/activations/seats/activation-texts.ts'
import { assignedToggleText, availableToggleText, rowButtonText } from '#domain/activations/seats/selection-texts.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import {
  ACTIVATION_FIELDS,
  type AssignedTableRow,
  type AvailableTableRow,
  assignedColumns,
  availableColumns,
  toTableRow,
} from '#web/modules/activations/seats/activation-columns.tsx'
import { ProductPicker } from '#web/modules/activations/seats/product-picker.tsx'
import { RowButton } from '#web/modules/activations/seats/row-button.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type SeatRow = AssignedTableRow | AvailableTableRow

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
      rowState={removedState}
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

/** What can be activated on the host. Rows come with the products that are ticked above them. */
export function AvailableTable({ tab, locked, onChange }: Props) {
  const { today } = useKnownCustomer().info
  const rows = useMemo(() => tab.available.filter(({ added }) => added).map(toTableRow(today)), [tab.available, today])
  const source = useMemo(() => rowsSource(['available'], ACTIVATION_FIELDS, rows), [rows])
  const setSeats = useEffectEvent((activationId: string, quantity: number) =>
    onChange((now) => setQuantity(now, activationId, quantity)),
  )
  const columns = useMemo(
    () => availableColumns(today, (activationId, quantity) => setSeats(activationId, quantity)),
    [today],
  )
  const table = useTable<AvailableTableRow>({ columns, rowKey, source, sorting: BY_PRODUCT })
  const hasNone = tab.available.length === 0
  const reason = locked ?? (hasNone ? NO_NEW_ENTITLEMENTS : undefined)
  return (
    <DataTable
      table={table}
      title="Available Entitlements"
      what={hasNone ? 'available entitlements' : 'entitlements added'}
      noRows={hasNone ? NO_NEW_ENTITLEMENTS : (locked ?? 'Choose products above, or add everything with Add All.')}
      rowName={rowName}
      isTwoLine
      isDense
      rowState={addedState}
      actionsWidth={84}
      rowActions={(row) => (
        <RowButton
          text={rowButtonText(row)}
          name={rowName(row)}
          reason={locked}
          onClick={() => onChange((now) => toggleAvailable(now, row.activationid))}
        />
      )}
      controls={
        <ProductPicker
          offered={offeredProducts(tab)}
          chosen={chosenProducts(tab)}
          reason={reason}
          isEverythingAdded={isEverythingAdded(tab)}
          onToggleAll={() => onChange(toggleAllAvailable)}
          onChange={(products) => onChange((now) => chooseProducts(now, products))}
        />
      }
      actions={
        <ReasonTooltip reason={reason}>
          <Button size="xs" variant="default" onClick={() => onChange(toggleAllAvailable)}>
            {availableToggleText(tab)}
          </Button>
        </ReasonTooltip>
      }
    />
  )
}

const NOTHING_ACTIVATED = 'Nothing is activated on this license server yet.'
const BY_PRODUCT = [{ column: 'entitlement', direction: 'asc' }] as const
const rowKey = (row: SeatRow) => row.activationid
const rowName = (row: SeatRow) => row.entitlement
const removedState = (row: AssignedTableRow) => (row.selected ? undefined : ('removed' as const))
const addedState = (row: AvailableTableRow) => (row.selected ? ('new' as const) : ('removed' as const))
