import { Button } from '@mantine/core'
import { useEffectEvent, useMemo } from 'react'
import {
  type CustomerActivations,
  chooseProducts,
  chosenProducts,
  isEverythingAdded,
  offeredProducts,
  setQuantity,
  toggleAllAvailable,
  toggleAvailable,
} from '#domain/activations/activation-selection.ts'
import { NO_NEW_ENTITLEMENTS } from '#domain/activations/activation-texts.ts'
import { availableToggleText, rowButtonText } from '#domain/activations/selection-texts.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import {
  ACTIVATION_FIELDS,
  type AvailableTableRow,
  availableColumns,
  toTableRow,
} from '#web/modules/activations/activation-columns.tsx'
import { ProductPicker } from '#web/modules/activations/product-picker.tsx'
import { RowButton } from '#web/modules/activations/row-button.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'

type Props = {
  tab: CustomerActivations
  isLocked: boolean
  onChange(update: (tab: CustomerActivations) => CustomerActivations): void
}

/** What can be activated on the host. Rows come with the products that are ticked above them. */
export function AvailableTable({ tab, isLocked, onChange }: Props) {
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
  return (
    <DataTable
      table={table}
      title="Available Entitlements"
      label="Available Entitlements"
      what={hasNone ? 'available entitlements' : 'entitlements added'}
      noRows={hasNone ? NO_NEW_ENTITLEMENTS : 'Choose products above, or add everything with Add All.'}
      rowName={rowName}
      isTwoLine
      rowState={rowState}
      rowActions={(row) => (
        <RowButton
          text={rowButtonText(row)}
          name={rowName(row)}
          isDisabled={isLocked}
          onClick={() => onChange((now) => toggleAvailable(now, row.activationid))}
        />
      )}
      controls={
        <ProductPicker
          offered={offeredProducts(tab)}
          chosen={chosenProducts(tab)}
          isDisabled={isLocked || hasNone}
          isEverythingAdded={isEverythingAdded(tab)}
          onToggleAll={() => onChange(toggleAllAvailable)}
          onChange={(products) => onChange((now) => chooseProducts(now, products))}
        />
      }
      actions={
        <Button size="xs" variant="default" disabled={isLocked || hasNone} onClick={() => onChange(toggleAllAvailable)}>
          {availableToggleText(tab)}
        </Button>
      }
    />
  )
}

const BY_PRODUCT = [{ column: 'entitlement', direction: 'asc' }] as const
const rowKey = (row: AvailableTableRow) => row.activationid
const rowName = (row: AvailableTableRow) => row.entitlement
const rowState = (row: AvailableTableRow) => (row.selected ? ('new' as const) : ('removed' as const))
