import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
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
  const id = useId()
  const messageId = `${id}-message`
  const list = useOptionList()
  const chosen = value ? entity.textOf(value) : ''

  const pick = (item: Item | null) => {
    search.leave()
    list.close()
    onChange(item)
  }
  const search = useEntitySearch(entity, {
    onFound: (items) => {
      const [only, ...others] = items
      if (only && others.length === 0) pick(only)
      else list.open()
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

  // Without options there is no list that the field could refer to.
  const isOpen = list.isOpen && offered.length > 0
  const marked = isOpen ? offered[list.marked] : undefined
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      list.mark(event.key === 'ArrowDown' ? 1 : -1, offered.length)
    }
    if (event.key === 'Escape') {
      search.leave()
      list.close()
    }
    if (event.key !== 'Enter' || !(marked || typed)) return
    event.preventDefault()
    if (marked) pick(marked)
    else if (typed) search.searchNow(typed)
  }

  const optionId = (item: Item) => `${id}-${entity.keyOf(item)}`
  const options = offered.map((item) => (
    // The keyboard reaches the options from the field.
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      key={entity.keyOf(item)}
      id={optionId(item)}
      role="option"
      aria-selected={item === marked}
      ref={item === marked ? (option) => option?.scrollIntoView({ block: 'nearest' }) : undefined}
      className={classes.option}
      onClick={() => pick(item)}
    >
      <span className={classes.name}>{entity.nameOf(item)}</span>
      <span className={classes.id}>{entity.keyOf(item)}</span>
    </div>
  ))
  const heading = isIdle && !typed ? suggestions?.heading : undefined

  return (
    <div className={classes.picker}>
      <TextInput
        {...input}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={marked && optionId(marked)}
        autoComplete="off"
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
          list.open()
        }}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          onFocus?.(event)
          event.currentTarget.select()
          list.open()
        }}
        onClick={list.open}
        onBlur={(event) => {
          onBlur?.(event)
          list.close()
          search.leave()
        }}
      />
      {isOpen && (
        <div
          id={`${id}-list`}
          role="listbox"
          className={classes.options}
          data-pending={(isPending && Boolean(typed)) || undefined}
          aria-label={heading ?? `Found ${entity.name[1]}`}
          // The focus stays in the field, which would close the list.
          onMouseDown={(event) => event.preventDefault()}
        >
          {heading && (
            <div className={classes.heading} role="presentation">
              {heading}
            </div>
          )}
          {options}
        </div>
      )}
      <div id={messageId} role="status" className={classes.message} data-state={outcome.state} hidden={!message}>
        {message}
      </div>
    </div>
  )
}

/** Which option of an open list is marked: the one that Enter picks. */
function useOptionList() {
  const [marked, setMarked] = useState<number>()
  return {
    isOpen: marked !== undefined,
    marked: marked ?? NONE,
    open: () => setMarked(NONE),
    close: () => setMarked(undefined),
    mark: (step: 1 | -1, count: number) =>
      setMarked((now = NONE) => (count === 0 ? NONE : (Math.max(now, step === 1 ? NONE : 0) + step + count) % count)),
  }
}

const NONE = -1
