import { Anchor, Button, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useEffectEvent, useMemo, useRef, useState } from 'react'
import {
  type CustomerActivations,
  chooseProductSeats,
  chooseProducts,
  chosenProducts,
  isEverythingAdded,
  isWithoutSeats,
  offeredProducts,
  type ProductChoice,
  productChoices,
  setQuantity,
  toggleAllAssigned,
  toggleAllAvailable,
  toggleAssigned,
  toggleAvailable,
} from '#domain/activations/seats/activation-selection.ts'
import { NO_NEW_ENTITLEMENTS } from '#domain/activations/seats/activation-texts.ts'
import {
  assignedToggleText,
  availableRowButtonText,
  availableToggleText,
  rowButtonText,
} from '#domain/activations/seats/selection-texts.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import classes from '#web/modules/activations/activations.module.css'
import {
  ACTIVATION_FIELDS,
  type AssignedTableRow,
  type AvailableTableRow,
  assignedColumns,
  availableColumns,
  toTableRow,
} from '#web/modules/activations/seats/activation-columns.tsx'
import { ProductPicker, SeatsField, seatsIn } from '#web/modules/activations/seats/product-picker.tsx'
import { choiceText, isCut } from '#web/modules/activations/seats/seat-texts.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { bringIntoView, SignalStrip } from '#web/ui/signal-strip.tsx'

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
  const table = useTable<AssignedTableRow>({
    tableName: 'assignedEntitlements',
    urlPrefix: 'assigned.',
    columns,
    rowKey,
    source,
    sorting: BY_PRODUCT,
  })
  if (rows.length === 0)
    return (
      <Paper component="section" aria-label="Assigned Entitlements" className={classes.none}>
        <Title order={2}>Assigned Entitlements</Title>
        <Text c="dimmed">{locked ? NOTHING_ACTIVATED : `${NOTHING_ACTIVATED} Choose products below.`}</Text>
      </Paper>
    )
  return (
    <DataTable
      table={table}
      title="Assigned Entitlements"
      what="assigned entitlements"
      noRows={NOTHING_ACTIVATED}
      rowName={rowName}
      isTwoLine
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
        <ReasonTooltip reason={locked}>
          <Button size="xs" variant="default" onClick={() => onChange(toggleAllAssigned)}>
            {assignedToggleText(tab)}
          </Button>
        </ReasonTooltip>
      }
    />
  )
}

type AvailableProps = Props & { added: string | undefined; isProductNext: boolean }

/** What can be activated on the host. Rows come with the products that are ticked above them. */
export function AvailableTable({ tab, added, isProductNext, locked, onChange }: AvailableProps) {
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
  const table = useTable<AvailableTableRow>({
    tableName: 'availableEntitlements',
    urlPrefix: 'available.',
    columns,
    rowKey,
    source,
    sorting: BY_PRODUCT,
  })
  const hasNone = tab.available.length === 0
  const reason = locked ?? (hasNone ? NO_NEW_ENTITLEMENTS : undefined)
  const [typedSeats, setTypedSeats] = useState('')
  const seatsField = useRef<HTMLInputElement>(null)
  /** Ticked without a number: the next number is for this product. */
  const [ticked, setTicked] = useState<string>()
  const chosen = chosenProducts(tab)
  const choose = (products: readonly string[]) => {
    const added = products.find((product) => !chosen.includes(product))
    const seats = seatsIn(typedSeats)
    if (added && seats === undefined) return seatsField.current?.focus()
    setTypedSeats('')
    setTicked(seats ? undefined : added)
    onChange((now) => (added && seats ? chooseProductSeats(now, added, seats, today) : chooseProducts(now, products)))
  }
  const changeSeats = (typed: string) => {
    setTypedSeats(typed)
    const seats = seatsIn(typed)
    if (seats === undefined || !ticked || !chosen.includes(ticked)) return
    const others = chosen.filter((product) => product !== ticked)
    onChange((now) =>
      seats ? chooseProductSeats(now, ticked, seats, today) : chooseProducts(chooseProducts(now, others), chosen),
    )
  }
  /** The number has been used: the next one is for the next product. */
  const leaveSeats = () => {
    if (!ticked || !seatsIn(typedSeats)) return
    setTypedSeats('')
    setTicked(undefined)
  }
  return (
    <DataTable
      table={table}
      title="Available Entitlements"
      what={hasNone ? 'available entitlements' : 'entitlements added'}
      noRows={hasNone ? NO_NEW_ENTITLEMENTS : (locked ?? 'Choose products above, or add everything with Add All.')}
      rowName={rowName}
      isTwoLine
      rowState={addedState}
      actionsWidth={84}
      rowActions={(row: AvailableTableRow) => (
        <RowButton
          text={availableRowButtonText(row)}
          name={rowName(row)}
          reason={locked}
          onClick={() => onChange((now) => toggleAvailable(now, row.activationid))}
        />
      )}
      controls={
        <div className={classes.choice}>
          <ProductPicker
            offered={offeredProducts(tab)}
            chosen={chosen}
            reason={reason}
            isNext={isProductNext}
            isEverythingAdded={isEverythingAdded(tab)}
            onToggleAll={() => onChange(toggleAllAvailable)}
            onChange={choose}
          />
          <SeatsField
            field={seatsField}
            typed={typedSeats}
            product={ticked}
            reason={reason}
            onChange={changeSeats}
            onLeave={leaveSeats}
          />
        </div>
      }
      notice={
        <>
          {added && <Notice>{added}</Notice>}
          {productChoices(tab, today).map((choice) => (
            <ChoiceNotice key={choice.product} choice={choice} />
          ))}
        </>
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

/** Which entitlements were chosen for a number of seats. All of them can be read. */
function ChoiceNotice({ choice }: { choice: ProductChoice }) {
  const [isWhole, setIsWhole] = useState(false)
  return (
    <Notice>
      {choiceText(choice, isWhole)}{' '}
      {isCut(choice) && (
        <Anchor inherit component="button" type="button" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${countText(choice.taken.length)} entitlements`}
        </Anchor>
      )}
    </Notice>
  )
}

/** Above the rows that it is about, and in view with them. */
function Notice({ children }: { children: ReactNode }) {
  return (
    <div ref={bringIntoView} className={classes.notice}>
      <SignalStrip signal="blue" role="status">
        {children}
      </SignalStrip>
    </div>
  )
}

const NOTHING_ACTIVATED = 'Nothing is activated on this license server yet.'
const BY_PRODUCT = [{ column: 'entitlement', direction: 'asc' }] as const
const rowKey = (row: SeatRow) => row.activationid
const rowName = (row: SeatRow) => row.entitlement
const removedState = (row: AssignedTableRow) => (row.selected ? undefined : ('removed' as const))
const addedState = (row: AvailableTableRow) =>
  row.selected ? ('new' as const) : isWithoutSeats(row) ? undefined : ('removed' as const)

type RowButtonProps = {
  text: string
  name: string
  /** Why it is disabled. */
  reason: string | undefined
  onClick(): void
}

/** Remove or Undo of one row. */
function RowButton({ text, name, reason, onClick }: RowButtonProps) {
  return (
    <ReasonTooltip reason={reason}>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={`${text} ${name}`}
        // The second half of a double click must not undo the first.
        onClick={(event) => event.detail <= 1 && onClick()}
      >
        {text}
      </Button>
    </ReasonTooltip>
  )
}
