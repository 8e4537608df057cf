import { Loader, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconBuilding, IconHome, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { MOST_HITS, SHORTEST_SEARCH, search } from '#contract/search/search.ts'
import { isStaff } from '#domain/access/standing.ts'
import { useOfferedAccounts } from '#web/app/customer/account-links.tsx'
import { pathOnOtherAccount } from '#web/app/customer/choose-customer.ts'
import { ScreenIcon } from '#web/app/menu/screen-icon.tsx'
import { useMenu } from '#web/app/menu/use-menu.ts'
import { takeKeys } from '#web/app/palette/kept-keys.ts'
import {
  accountEntry,
  hitSections,
  type PaletteEntry,
  type PaletteSection,
  screenEntries,
} from '#web/app/palette/palette-entries.ts'
import { featureOf } from '#web/app/screens/screen.ts'
import { screenAt } from '#web/app/screens/screens.ts'
import { useFeatures } from '#web/app/screens/use-features.ts'
import { call } from '#web/lib/api-client.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import '@mantine/spotlight/styles.layer.css'
import classes from './palette.module.css'

const [store, palette] = createSpotlight()

const TYPING_PAUSE = 150

/** The command palette. It opens or closes whenever `toggles` rises. */
export function Palette({ toggles }: { toggles: number }) {
  useEffect(() => {
    if (toggles > 0) palette.toggle()
  }, [toggles])
  const { query } = useSpotlight(store)
  const typed = query.trim()
  const { sections, failure, isSearching, isCut } = useSections(typed)
  const entries = sections.flatMap((section) => section.entries)
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      size={640}
      centered={false}
      yOffset="min(5rem, 8dvh)"
      maxHeight="min(30rem, 70dvh)"
      scrollable
      classNames={{ inner: classes.inner, content: classes.content }}
      attributes={{ content: { 'data-palette': true, 'aria-label': 'Command palette' } }}
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
    >
      <Results sections={sections} count={entries.length} isSearching={isSearching} />
      <Spotlight.Footer className={classes.footer} role="status">
        {failure ? failureText(failure) : messageOf({ typed, found: entries.length, isSearching, isCut })}
        <span className={classes.keys}>↑ ↓ to move, Enter to open, Esc to close</span>
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

type Outcome = { typed: string; found: number; isSearching: boolean; isCut: boolean }

function messageOf({ typed, found, isSearching, isCut }: Outcome): string {
  if (isSearching) return 'Searching…'
  if (found === 0) return `Nothing matches "${typed}".`
  if (typed.length < SHORTEST_SEARCH) return 'Type to search.'
  if (isCut) return `First ${MOST_HITS} of each kind. Type more to narrow.`
  return found === 1 ? '1 result' : `${countText(found)} results`
}

type ResultsProps = { sections: readonly PaletteSection[]; count: number; isSearching: boolean }

/** The field and the list below it, which is a listbox to screen readers. */
function Results({ sections, count, isSearching }: ResultsProps) {
  const { actor } = useSignedIn()
  const listId = useId()
  const optionId = (index: number) => `${listId}-${index}`
  const keys = sections.flatMap(({ entries }) => entries.map(({ key }) => key)).join('\n')
  const [place, setPlace] = useState({ keys, index: 0 })
  // The first entry is selected whenever the list changes.
  const selected = place.keys === keys ? place.index : 0
  const select = (index: number) => {
    setPlace({ keys, index })
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (count === 0 || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') select((selected + 1) % count)
    if (event.key === 'ArrowUp') select((selected + count - 1) % count)
    if (event.key === 'Enter') document.getElementById(optionId(selected))?.click()
  }
  let index = -1
  return (
    <>
      <Spotlight.Search
        placeholder={isStaff(actor) ? STAFF_PLACEHOLDER : PLACEHOLDER}
        aria-label="Search the portal"
        role="combobox"
        aria-expanded={count > 0}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={count > 0 ? optionId(selected) : undefined}
        onKeyDown={onKeyDown}
        onFocus={addKeptKeys}
        leftSection={<IconSearch size={20} stroke={1.6} aria-hidden />}
        rightSection={isSearching && <Loader size={16} />}
        maxLength={100}
      />
      <Spotlight.ActionsList id={listId} role="listbox" aria-label="Results">
        {sections.map(({ title, entries }) => (
          <Spotlight.ActionsGroup key={title} label={title} role="group" aria-label={title}>
            {entries.map((entry) => {
              index += 1
              return <Entry key={entry.key} entry={entry} id={optionId(index)} isSelected={index === selected} />
            })}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
    </>
  )
}

/** Text that was typed before the field had the focus. */
function addKeptKeys(): void {
  const typed = takeKeys()
  if (typed !== '') store.setState((state) => ({ ...state, query: state.query + typed }))
}

const PLACEHOLDER = 'Screen, account, entitlement, license server or product'
const STAFF_PLACEHOLDER = 'Screen, account, host ID, activation ID, server ID, email or order'

type EntryProps = { entry: PaletteEntry; id: string; isSelected: boolean }

function Entry({ entry: { label, detail, screen, to }, id, isSelected }: EntryProps) {
  const navigate = useNavigate()
  return (
    // Spotlight's own action drops its id, which ARIA needs.
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      className={classes.entry}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        palette.close()
        void navigate(to)
      }}
    >
      <EntryIcon screen={screen} />
      <span className={classes.text}>
        <span>{label}</span>
        {detail && <span className={classes.detail}>{detail}</span>}
      </span>
    </UnstyledButton>
  )
}

function EntryIcon({ screen }: Pick<PaletteEntry, 'screen'>) {
  if (screen === undefined) return <IconBuilding size={18} stroke={1.6} aria-hidden />
  return screen === 'home' ? <IconHome size={18} stroke={1.6} aria-hidden /> : <ScreenIcon path={screen} />
}

function useSections(typed: string) {
  const [settled] = useDebouncedValue(typed, TYPING_PAUSE)
  const customer = useCustomer()
  const number = customer.state === 'known' ? customer.number : undefined
  const pathname = pathOnOtherAccount(useLocation().pathname)
  const menu = useMenu()
  const features = useFeatures()
  const offered = useOfferedAccounts()
  const isLong = typed.length >= SHORTEST_SEARCH
  const found = useQuery(searchQuery(settled, number))
  const isOpen = (path: Parameters<typeof screenAt>[0]) => features?.isOpen(featureOf(screenAt(path))) ?? false
  const screens = { title: 'Screens', entries: screenEntries(menu, typed, number) }
  const others = offered.items.filter((account) => account.number !== number)
  const accounts = { title: 'Switch account', entries: others.map((account) => accountEntry(account, pathname)) }
  const hits = isLong && found.data ? hitSections(found.data, { number, pathname }, isOpen) : []
  const sections = (isLong ? [screens, ...hits] : typed === '' ? [accounts, screens] : [screens]).filter(
    ({ entries }) => entries.length > 0,
  )
  return {
    sections,
    failure: isLong ? found.error : null,
    isSearching: isLong && (found.isFetching || settled !== typed),
    isCut: hits.some(({ entries }) => entries.length >= MOST_HITS),
  }
}

/** The hits of the server. Shorter texts find screens only. */
function searchQuery(text: string, customerNumber: string | undefined) {
  return queryOptions({
    queryKey: ['search', customerNumber, text],
    queryFn:
      text.length < SHORTEST_SEARCH
        ? skipToken
        : ({ signal }) => call(search, { body: { text, ...(customerNumber ? { customerNumber } : {}) }, signal }),
    placeholderData: keepPreviousData,
  })
}
