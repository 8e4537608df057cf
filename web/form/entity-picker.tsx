import { CloseButton, Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { type Entity, searchMessage, useEntitySearch } from '#web/form/entity-search.ts'
import classes from './entity-picker.module.css'

/** If too many items match, the first few are still offered. */
const SHOWN_OF_TOO_MANY = 20

type Props<Item> = Pick<
  TextInputProps,
  'id' | 'label' | 'aria-label' | 'placeholder' | 'required' | 'error' | 'disabled' | 'size' | 'onFocus' | 'onBlur'
> & {
  entity: Entity<Item>
  value: Item | null
  onChange(item: Item | null): void
  /** Shown while nothing is typed. */
  suggestions?: { readonly heading: string; readonly items: readonly Item[] }
  isClearable?: boolean
  onInvalid?(): void
}

/** A search box for one of many items. It shows the chosen item, and suggestions while nothing is typed. */
export function EntityPicker<Item>(props: Props<Item>) {
  const { entity, value, onChange, suggestions, isClearable = true, onInvalid, onFocus, onBlur, ...input } = props
  const messageId = useId()
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const wasOpened = useWasOpened(list.dropdownOpened)
  const chosen = value ? entity.textOf(value) : ''

  const pick = (item: Item | null) => {
    search.leave()
    list.closeDropdown()
    onChange(item)
  }
  const search = useEntitySearch(entity, {
    onFound: (items) => {
      const [only, ...others] = items
      if (only && others.length === 0) pick(only)
      else list.openDropdown()
    },
    onInvalid: () => onInvalid?.(),
  })
  const { typed, outcome } = search
  const message = searchMessage(entity, outcome)
  const isIdle = outcome.state === 'idle'
  const isPending = typed !== undefined && (isIdle || outcome.state === 'searching')
  const shownItems = (items: readonly Item[]) =>
    items.length >= entity.max ? items.slice(0, SHOWN_OF_TOO_MANY) : items
  const offered = offeredItems()

  function offeredItems(): readonly Item[] {
    if (outcome.state === 'found') return shownItems(outcome.items)
    if (!typed) return isIdle ? (suggestions?.items ?? []) : []
    // The previous results stay, dimmed, until the next ones are loaded.
    return isPending ? shownItems(search.previous) : []
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') search.leave()
    const isOptionMarked = list.dropdownOpened && list.getSelectedOptionIndex() >= 0
    if (event.key !== 'Enter' || !typed || isOptionMarked || event.nativeEvent.isComposing) return
    event.preventDefault()
    search.searchNow(typed)
  }

  const options = offered.map((item) => (
    <Combobox.Option key={entity.keyOf(item)} value={entity.keyOf(item)} className={classes.option}>
      <span className={classes.name}>{entity.nameOf(item)}</span>
      <span className={classes.id}>{entity.keyOf(item)}</span>
    </Combobox.Option>
  ))
  const heading = isIdle && !typed ? suggestions?.heading : undefined

  return (
    <div className={classes.picker}>
      <Combobox
        // Without options there is no list that the field could refer to.
        store={{ ...list, dropdownOpened: list.dropdownOpened && offered.length > 0 }}
        onOptionSubmit={(key) => pick(offered.find((item) => entity.keyOf(item) === key) ?? null)}
        shadow="md"
        offset={4}
        withinPortal={false}
        keepMounted={wasOpened}
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            {...input}
            aria-describedby={message ? messageId : undefined}
            aria-invalid={outcome.state === 'invalid' || Boolean(input.error) || undefined}
            value={typed ?? chosen}
            spellCheck={false}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={
              (chosen || typed) &&
              (isClearable || typed !== undefined) && (
                <CloseButton size="sm" aria-label={`Clear ${entity.name[0]}`} onClick={() => pick(null)} />
              )
            }
            onChange={(event) => {
              search.type(event.currentTarget.value)
              list.resetSelectedOption()
              list.openDropdown()
            }}
            onKeyDown={onKeyDown}
            onFocus={(event) => {
              onFocus?.(event)
              event.currentTarget.select()
              list.openDropdown()
            }}
            onClick={() => list.openDropdown()}
            onBlur={(event) => {
              onBlur?.(event)
              list.closeDropdown()
              search.leave()
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options
            className={classes.options}
            data-pending={(isPending && Boolean(typed)) || undefined}
            aria-label={heading ?? `Found ${entity.name[1]}`}
          >
            {heading ? <Combobox.Group label={heading}>{options}</Combobox.Group> : options}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <div id={messageId} role="status" className={classes.message} data-state={outcome.state} hidden={!message}>
        {message}
      </div>
    </div>
  )
}

/**
 * The list is not rendered before it is opened, because a closed list computes its position, which forces a layout of
 * the page. The field refers to the list only when it is rendered again, so this changes after the first opening.
 */
function useWasOpened(isOpen: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(false)
  useEffect(() => {
    if (isOpen) setWasOpened(true)
  }, [isOpen])
  return wasOpened
}
