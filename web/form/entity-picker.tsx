import { CloseButton, Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId } from 'react'
import { type Entity, searchMessage, useEntitySearch } from '#web/form/entity-search.ts'
import classes from './entity-picker.module.css'

type Props<Item> = Pick<
  TextInputProps,
  'id' | 'label' | 'aria-label' | 'placeholder' | 'required' | 'error' | 'disabled' | 'onFocus' | 'onBlur'
> & {
  entity: Entity<Item>
  value: Item | null
  onChange(item: Item | null): void
  /** Offered while nothing is typed. */
  suggestions?: { readonly heading: string; readonly items: readonly Item[] }
  isClearable?: boolean
  onInvalid?(): void
  /** When this changes, a search that found nothing is given up, and the box shows what is chosen. */
  settlesWith?: string
}

/** A search box that chooses one of many: shows the chosen one, finds others, offers some. */
export function EntityPicker<Item>(props: Props<Item>) {
  const {
    entity,
    value,
    onChange,
    suggestions,
    isClearable = true,
    onInvalid,
    settlesWith,
    onFocus,
    onBlur,
    ...input
  } = props
  const messageId = useId()
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
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
  /** What was searched for in vain must not stand where the chosen one is expected. */
  const settle = () => {
    const isUnderWay = outcome.state === 'searching' || (outcome.state === 'idle' && typed)
    if (chosen && !isUnderWay) search.leave()
  }
  const settleElsewhere = useEffectEvent(settle)
  useEffect(() => {
    if (settlesWith) settleElsewhere()
  }, [settlesWith])
  const message = searchMessage(entity, outcome)
  const isIdle = outcome.state === 'idle'
  const offered = offeredItems()

  function offeredItems(): readonly Item[] {
    if (outcome.state === 'found') return outcome.items.length >= entity.max ? [] : outcome.items
    // Untouched or emptied, the box has nothing to search for.
    return isIdle && !typed ? (suggestions?.items ?? []) : []
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
  const heading = isIdle ? suggestions?.heading : undefined

  return (
    <div className={classes.picker}>
      <Combobox
        store={list}
        onOptionSubmit={(key) => pick(offered.find((item) => entity.keyOf(item) === key) ?? null)}
        shadow="md"
        offset={4}
        withinPortal={false}
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
              if (event.currentTarget.value === '') list.openDropdown()
              else list.closeDropdown()
            }}
            onKeyDown={onKeyDown}
            onFocus={(event) => {
              onFocus?.(event)
              event.currentTarget.select()
              if (!event.currentTarget.value) list.openDropdown()
            }}
            onClick={() => list.openDropdown()}
            onBlur={(event) => {
              onBlur?.(event)
              list.closeDropdown()
              if (isIdle && !typed) search.leave()
              else settle()
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={offered.length === 0}>
          <Combobox.Options className={classes.options} aria-label={heading ?? `Found ${entity.name[1]}`}>
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
