import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { countText } from '#web/lib/format.ts'
import classes from '#web/modules/activations/activations.module.css'
import { FieldReason } from '#web/ui/reason-tooltip.tsx'

const ALL = '\u0000all'
/** More than anybody scrolls through; typing finds the others. */
const MAX_OPTIONS = 200

type Props = {
  offered: readonly string[]
  chosen: readonly string[]
  /** Every row of every product is to be activated. */
  isEverythingAdded: boolean
  /** Why it is disabled. */
  reason: string | undefined
  /** Gets the focus, and opens with it. */
  isNext: boolean
  onChange(products: string[]): void
  onToggleAll(): void
}

type SeatsProps = {
  field: RefObject<HTMLInputElement | null>
  typed: string
  /** The product that the number is for; without one, the product that is chosen next. */
  product: string | undefined
  /** Why it is disabled. */
  reason: string | undefined
  onChange(typed: string): void
  onLeave(): void
}

/** How many seats to activate of a product. Empty means all of them. */
export function SeatsField({ field, typed, product, reason, onChange, onLeave }: SeatsProps) {
  return (
    <FieldReason reason={reason}>
      <TextInput
        ref={field}
        size="xs"
        className={classes.seats}
        error={seatsIn(typed) === undefined && 'Enter a whole number, 1 or more.'}
        label="Seats of each product"
        placeholder="All"
        inputMode="numeric"
        maxLength={6}
        value={typed}
        disabled={reason !== undefined}
        aria-description={reason ?? `For ${product ?? 'the product that you choose next'}`}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        onBlur={onLeave}
      />
    </FieldReason>
  )
}

/** Zero for an empty field, undefined for what is no number of seats. */
export function seatsIn(typed: string): number | undefined {
  if (typed === '') return 0
  return /^\d+$/.test(typed) && Number(typed) > 0 ? Number(typed) : undefined
}

/** A search box with a list of products to tick. */
export function ProductPicker(props: Props) {
  const { offered, chosen, isEverythingAdded, reason, isNext, onChange, onToggleAll } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNext) field.current?.focus()
  }, [isNext])
  const [search, setSearch] = useState('')
  const list = useCombobox({
    onDropdownClose: () => {
      list.resetSelectedOption()
      setSearch('')
    },
  })
  const ticked = new Set(chosen)
  const found = [...offered].sort((a, b) => a.localeCompare(b)).filter((one) => includes(one, search))
  const submit = (value: string) => {
    if (value === ALL) return onToggleAll()
    onChange(ticked.has(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  }
  return (
    <FieldReason reason={reason}>
      <Combobox
        store={list}
        onOptionSubmit={submit}
        shadow="md"
        withinPortal={false}
        width={360}
        position="bottom-start"
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            ref={field}
            size="xs"
            className={classes.products}
            aria-label="Products"
            placeholder="Click to add/remove a product..."
            value={search}
            disabled={reason !== undefined}
            aria-description={reason}
            rightSectionWidth={64}
            rightSectionPointerEvents="none"
            rightSection={
              <span
                className={classes.chosenProducts}
              >{`${countText(chosen.length)} / ${countText(offered.length)}`}</span>
            }
            onChange={(event) => {
              setSearch(event.currentTarget.value)
              list.openDropdown()
            }}
            onClick={() => list.openDropdown()}
            onFocus={() => list.openDropdown()}
            onBlur={() => list.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options className={classes.productOptions} aria-label="Products">
            {search === '' && (
              <Product value={ALL} text={isEverythingAdded ? 'Remove All' : 'Select All'} isTicked={false} />
            )}
            {found.slice(0, MAX_OPTIONS).map((product) => (
              <Product key={product} value={product} text={product} isTicked={ticked.has(product)} />
            ))}
            {found.length === 0 && <Combobox.Empty>No product found.</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </FieldReason>
  )
}

function Product({ value, text, isTicked }: { value: string; text: string; isTicked: boolean }) {
  return (
    <Combobox.Option value={value} active={isTicked} aria-checked={isTicked} className={classes.productOption}>
      <span className={classes.tick}>{isTicked && <IconCheck size={14} aria-hidden />}</span>
      {text}
    </Combobox.Option>
  )
}

const includes = (text: string, search: string) => text.toLowerCase().includes(search.trim().toLowerCase())
