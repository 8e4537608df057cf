import { ActionIcon, Loader, UnstyledButton } from '@mantine/core'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconArrowLeft, IconBuilding, IconSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { isStaff } from '#domain/access/standing.ts'
import { listAnswers, listQuestion, questionOf } from '#web/app/palette/action-entries.ts'
import type { PaletteAction } from '#web/app/palette/actions.ts'
import { takeKeys } from '#web/app/palette/kept-keys.ts'
import {
  type AnyEntry,
  countEntries,
  type Listed,
  useAnswers,
  useAsker,
  useSections,
} from '#web/app/palette/use-sections.ts'
import { screenAt } from '#web/app/screens/screens.ts'
import type { Opens } from '#web/lib/action.ts'
import { customerIn, withCustomer } from '#web/lib/address/portal-address.ts'
import { noteRecent } from '#web/lib/kept/recent-things.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import '@mantine/spotlight/styles.layer.css'
import classes from './palette.module.css'

const [store, palette] = createSpotlight()

type Dialog = (onClose: () => void) => ReactNode

/** The command palette. It opens or closes whenever `toggles` rises. */
export function Palette({ toggles }: { toggles: number }) {
  useEffect(() => {
    if (toggles > 0) palette.toggle()
  }, [toggles])
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { user } = useSignedIn()
  const { query } = useSpotlight(store)
  /** The action whose question is asked. */
  const [asked, setAsked] = useState<PaletteAction>()
  const [opened, setOpened] = useState<{ dialog: Dialog; number: string | undefined }>()
  const asker = useAsker()
  const number = asker?.standing.customerNumber
  const typed = query.trim()
  const found = useSections(asked ? '' : typed)
  const answers = useAnswers(asked, typed)
  const listed = asked ? answers : found
  const ask = (action: PaletteAction | undefined, query = '') => {
    store.setState((state) => ({ ...state, query }))
    setAsked(action)
  }
  const open = (opens: Opens) => {
    palette.close()
    if ('to' in opens) void navigate(withCustomer(opens.to, number))
    else setOpened({ dialog: opens.dialog, number })
  }
  const close = () => {
    setOpened(undefined)
    // Home lists what is left to do.
    void queries.invalidateQueries({ queryKey: ['home'] })
  }
  /** A list that cannot be loaded says so in the question. */
  const askOrSkip = async (action: PaletteAction, typed: string | undefined) => {
    const list = listQuestion(action)
    if (!asker || !list?.skipsSingle) return ask(action, typed)
    const loaded = await queries.fetchQuery(list.query(asker.standing.customerNumber)).catch(() => undefined)
    const answers = loaded === undefined ? [] : listAnswers(action, loaded, '', asker)
    const [only, ...others] = answers.filter(({ reason }) => reason === undefined)
    if (only?.opens && others.length === 0) open(only.opens)
    else ask(action)
  }
  const choose = (entry: AnyEntry) => {
    if ('action' in entry) {
      const { action, opens, reason, typed } = entry
      if (reason !== undefined) return
      return opens ? open(opens) : void askOrSkip(action, typed)
    }
    palette.close()
    const { to, screen } = entry
    const customerNumber = customerIn(new URL(to, window.location.origin).searchParams)
    if (entry.isThing && screen && customerNumber) noteRecent(user.email, customerNumber, { ...entry, screen })
    void navigate(to)
  }
  return (
    <>
      <Spotlight.Root
        store={store}
        shortcut={null}
        size={640}
        centered={false}
        yOffset="min(5rem, 8dvh)"
        maxHeight="min(30rem, 70dvh)"
        scrollable
        // In a question, Escape goes back one step.
        closeOnEscape={!asked}
        onSpotlightClose={() => setAsked(undefined)}
        classNames={{ inner: classes.inner, content: classes.content }}
        attributes={{ content: { 'data-palette': true, 'aria-label': 'Command palette' } }}
        transitionProps={{ duration: 0 }}
        overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      >
        <Results
          listed={listed}
          question={asked && questionOf(asked)}
          onChoose={choose}
          onBack={() => ask(undefined)}
        />
        <Spotlight.Footer className={classes.footer} role="status">
          {listed.message}
          <span className={classes.keys}>↑ ↓ to move, Enter to open, Esc to {asked ? 'go back' : 'close'}</span>
        </Spotlight.Footer>
      </Spotlight.Root>
      <Suspense>{opened?.number === number && opened?.dialog(close)}</Suspense>
    </>
  )
}

type ResultsProps = {
  listed: Listed
  /** What an action asks for. */
  question: string | undefined
  onChoose(entry: AnyEntry): void
  onBack(): void
}

/** The field and the list below it, which is a listbox to screen readers. */
function Results({ listed: { sections, isSearching }, question, onChoose, onBack }: ResultsProps) {
  const { actor } = useSignedIn()
  const { query } = useSpotlight(store)
  const listId = useId()
  const optionId = (index: number) => `${listId}-${index}`
  const count = countEntries(sections)
  const keys = sections.flatMap(({ entries }) => entries.map(({ key }) => key)).join('\n')
  const [place, setPlace] = useState({ keys, index: 0 })
  // The first entry is selected whenever the list changes.
  const selected = place.keys === keys ? place.index : 0
  const select = (index: number) => {
    setPlace({ keys, index })
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (question && (event.key === 'Escape' || (event.key === 'Backspace' && query === ''))) {
      event.preventDefault()
      onBack()
    }
    if (count === 0) return
    if (event.key === 'ArrowDown') select((selected + 1) % count)
    if (event.key === 'ArrowUp') select((selected + count - 1) % count)
    if (event.key === 'Enter') document.getElementById(optionId(selected))?.click()
  }
  let index = -1
  return (
    <>
      <Spotlight.Search
        placeholder={question ?? (isStaff(actor) ? STAFF_PLACEHOLDER : PLACEHOLDER)}
        aria-label={question ?? 'Search the portal'}
        role="combobox"
        aria-expanded={count > 0}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={count > 0 ? optionId(selected) : undefined}
        onKeyDown={onKeyDown}
        onFocus={addKeptKeys}
        leftSection={question ? <BackButton onBack={onBack} /> : <IconSearch size={20} stroke={1.6} aria-hidden />}
        leftSectionPointerEvents={question ? 'all' : 'none'}
        rightSection={isSearching && <Loader size={16} />}
        maxLength={100}
      />
      <Spotlight.ActionsList id={listId} role="listbox" aria-label="Results">
        {sections.map(({ title, entries }) => (
          <Spotlight.ActionsGroup key={title} label={title} role="group" aria-label={title}>
            {entries.map((entry) => {
              index += 1
              return (
                <Entry
                  key={entry.key}
                  entry={entry}
                  id={optionId(index)}
                  isSelected={index === selected}
                  onChoose={onChoose}
                />
              )
            })}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
    </>
  )
}

/** For those without a keyboard. The focus stays in the field. */
function BackButton({ onBack }: { onBack(): void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label="Back"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onBack}
    >
      <IconArrowLeft size={20} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}

/** Text that was typed before the field had the focus. */
function addKeptKeys(): void {
  const typed = takeKeys()
  if (typed !== '') store.setState((state) => ({ ...state, query: state.query + typed }))
}

const PLACEHOLDER = 'Screen, action, account, license server, entitlement or person'
const STAFF_PLACEHOLDER = 'Screen, action, account, host ID, activation ID, email or order'

type EntryProps = { entry: AnyEntry; id: string; isSelected: boolean; onChoose(entry: AnyEntry): void }

function Entry({ entry, id, isSelected, onChoose }: EntryProps) {
  const { label, detail, screen } = entry
  return (
    // Spotlight's own action drops its id, which ARIA needs.
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-disabled={'reason' in entry || undefined}
      tabIndex={-1}
      className={classes.entry}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      <EntryIcon screen={screen} />
      <span className={classes.text}>
        <span>{label}</span>
        {detail && <span className={classes.detail}>{detail}</span>}
      </span>
    </UnstyledButton>
  )
}

function EntryIcon({ screen }: Pick<AnyEntry, 'screen'>) {
  const Icon = screen === undefined ? IconBuilding : screenAt(screen).icon
  return <Icon size={18} stroke={1.6} aria-hidden />
}
