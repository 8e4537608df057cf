import { ActionIcon, Autocomplete, NumberInput, Select, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type FsaContract, minimumStartDate } from '#domain/fsa/contract.ts'
import { durationLabel } from '#domain/fsa/duration.ts'
import type { OrderLine } from '#domain/fsa/order-line.ts'
import * as lines from '#domain/fsa/order-line.ts'
import {
  COUNT_INVALID,
  type EditedField,
  END_BEFORE_START,
  END_DATE_INVALID,
  START_DATE_INVALID,
} from '#domain/fsa/order-texts.ts'
import { compare, formatDecimal, parseDecimal, toFixedText } from '#domain/money/decimal.ts'
import { DayField } from '#web/modules/fsa/day-field.tsx'
import { changeStart, isPossibleStart } from '#web/modules/fsa/edited-lines.ts'
import { dateFigures } from '#web/ui/figures.tsx'
import classes from './order.module.css'

type Props = {
  line: OrderLine
  /** Counted from 1, for the names of the fields. */
  place: number
  contract: FsaContract
  today: CalendarDay
  isBusops: boolean
  isLocked: boolean
  error: string | undefined
  /** The error is why the server has refused the line. */
  isRefused: boolean
  /** What happened to it since it was saved. */
  note: string | undefined
  onChange(line: OrderLine, field: EditedField): void
  onRemove(): void
}

/** A line of the order editor. Business operations may also enter end and cost. */
export function OrderLineRow(props: Props) {
  const { line, place, contract, today, isBusops, isLocked, error, isRefused, note, onChange, onRemove } = props
  const product = useRef<HTMLInputElement>(null)
  const isNext = place === 1 && line.partNumber === null
  // The product is the first thing that an order needs. Its list opens with the focus, which a palette or dialog keeps.
  useEffect(() => {
    if (isNext && !document.activeElement?.closest('[role="dialog"]')) product.current?.focus()
  }, [isNext])
  const errorId = `order-line-${place}-error`
  const wrong = error === undefined ? undefined : wrongField(error)
  const nameOf = (field: string) => `${field} of line ${place}`
  const common = (field: string, which: Field) => ({
    'aria-label': nameOf(field),
    disabled: isLocked,
    error: wrong === which,
    ...(wrong === which ? { 'aria-describedby': errorId } : {}),
  })
  const hasProduct = line.isManual || line.partNumber !== null
  const days = { min: minimumStartDate(contract, today), max: contract.endDate, describedBy: errorId }
  const canStart = isPossibleStart(line.startDate, contract, today)
  /** What the server has refused can be sent again once somebody has looked at it, also with the same values. */
  const touch = (field: EditedField) => isRefused && onChange(line, field)
  const options = line.isManual || !canStart ? [] : lines.optionsOf(line, contract)
  const durations = canStart || line.duration === null ? options.map(({ duration }) => duration) : [line.duration]
  return (
    <>
      <tr className={classes.line} data-error={error !== undefined || undefined}>
        <td data-label="Product">
          {line.isManual ? (
            <Autocomplete
              {...common('Product', 'product')}
              placeholder="What it is for"
              maxLength={200}
              data={[...new Set(contract.products.map(({ name }) => name))]}
              value={line.productName}
              onChange={(productName) => onChange({ ...line, productName }, 'product')}
              limit={20}
            />
          ) : (
            <Select
              {...common('Product', 'product')}
              placeholder="Choose a product"
              searchable
              data={contract.products.map(({ partNumber, name }) => ({ value: partNumber, label: name }))}
              value={line.partNumber}
              ref={product}
              nothingFoundMessage="No product of this contract has this name."
              limit={100}
              onOptionSubmit={() => touch('product')}
              onChange={(partNumber) =>
                partNumber && onChange(lines.changeProduct(line, partNumber, contract, today), 'product')
              }
            />
          )}
        </td>
        <td data-label="Duration">
          {line.isManual ? (
            <span className={classes.text}>Manual entry</span>
          ) : (
            <Select
              {...common('Duration', 'duration')}
              disabled={isLocked || options.length === 0}
              placeholder={isBusops && hasProduct && canStart ? 'Own end date' : ''}
              allowDeselect={false}
              data={durations.map((duration) => ({ value: String(duration), label: durationLabel(duration) }))}
              value={line.duration === null ? null : String(line.duration)}
              onOptionSubmit={() => touch('duration')}
              onChange={(value) => {
                const option = options.find(({ duration }) => String(duration) === value)
                if (option) onChange(lines.changeDuration(line, option.duration, contract), 'duration')
              }}
            />
          )}
        </td>
        <td data-label="Count">
          <TextInput
            {...common('Count', 'count')}
            type="number"
            disabled={isLocked || !hasProduct}
            min={0}
            step={1}
            value={line.count ?? ''}
            // The wheel scrolls the page, and changes no order.
            onWheel={({ currentTarget }) => currentTarget.blur()}
            onBlur={() => touch('count')}
            onChange={({ currentTarget: { value } }) =>
              onChange(lines.changeCount(line, value === '' ? null : Number(value)), 'count')
            }
          />
        </td>
        <td data-label="Start Date">
          <DayField
            {...days}
            label={nameOf('Start Date')}
            value={line.startDate}
            disabled={isLocked || !hasProduct}
            isInvalid={wrong === 'start'}
            onChange={(day) => onChange(changeStart(line, day, contract, today), 'start date')}
          />
        </td>
        <td data-label="End Date">
          {isBusops ? (
            <DayField
              {...days}
              label={nameOf('End Date')}
              value={line.endDate}
              disabled={isLocked || !hasProduct}
              isInvalid={wrong === 'end'}
              onChange={(day) => onChange(lines.changeEndDate(line, day, contract), 'duration')}
            />
          ) : (
            <span className={classes.text}>{dateFigures(line.endDate)}</span>
          )}
        </td>
        <td data-label="Unit Cost">
          <Amount
            {...common('Unit Cost', 'cost')}
            isEditable={isBusops && hasProduct}
            value={line.unitCost}
            onChange={(value) => onChange(lines.changeUnitCost(line, value), 'cost')}
          />
        </td>
        <td data-label="Cost">
          <Amount
            {...common('Cost', 'cost')}
            isEditable={isBusops && hasProduct}
            value={line.cost}
            onChange={(value) => onChange(lines.changeCost(line, value), 'cost')}
          />
        </td>
        <td data-label="Currency">
          <span className={classes.text}>{line.currency}</span>
        </td>
        <td className={classes.removing}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove line ${place}`}
            disabled={isLocked}
            onClick={(event) => event.detail <= 1 && onRemove()}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </td>
      </tr>
      {note !== undefined && (
        <tr className={classes.noteRow}>
          <td colSpan={9}>{note}</td>
        </tr>
      )}
      {error !== undefined && (
        <tr className={classes.errorRow}>
          <td colSpan={9} id={errorId} role="alert">
            {error}
          </td>
        </tr>
      )}
    </>
  )
}

type AmountProps = {
  'aria-label': string
  'aria-describedby'?: string
  disabled: boolean
  error: boolean
  isEditable: boolean
  value: string | null
  onChange(value: string | null): void
}

/** An amount of money; a field for people who may enter it. The check of the line decides which amounts are valid. */
function Amount({ isEditable, value, onChange, ...input }: AmountProps) {
  // The typed text while it is edited: "1900.0" and "1900." have the same value as "1900".
  const [typed, setTyped] = useState<string>()
  if (!isEditable) return <span className={classes.amount}>{value === null ? '' : formatDecimal(value, 2)}</span>
  return (
    <NumberInput
      {...input}
      hideControls
      allowNegative={false}
      thousandSeparator=","
      className={classes.amountInput}
      value={typed ?? shownAmount(value)}
      onValueChange={({ value: text }, { source }) => {
        // A value that the page sets is not an entry.
        if (source !== 'event') return
        setTyped(text)
        onChange(parseDecimal(text.replace(/\.$/, '')) ?? null)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

/** With two decimals, or with all that it has: an invalid amount is refused, not cut. */
function shownAmount(value: string | null): string {
  if (value === null) return ''
  const amount = toFixedText(value, 2)
  return compare(amount, value) === 0 ? amount : value
}

type Field = 'product' | 'duration' | 'count' | 'start' | 'end' | 'cost'

/** The field that an error is about: it gets a red border. */
function wrongField(error: string): Field {
  if (error === COUNT_INVALID || error.endsWith('count.')) return 'count'
  if (error === START_DATE_INVALID || error.endsWith('start date.')) return 'start'
  if (error === END_DATE_INVALID || error === END_BEFORE_START) return 'end'
  if (error.endsWith('duration.')) return 'duration'
  return error.toLowerCase().includes('cost') ? 'cost' : 'product'
}
