import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#web/lib/api/api-error.ts'

const TYPING_PAUSE = 1000

/** Something that people search for and choose: an account; later a contract, a host, a product. */
export type Entity<Item> = {
  /** Singular and plural, for the texts. */
  readonly name: readonly [one: string, many: string]
  keyOf(item: Item): string
  nameOf(item: Item): string
  /** The text in the box when the item is chosen. */
  textOf(item: Item): string
  /** The search for a typed text, or why there is none. */
  search(typed: string): (() => Promise<readonly Item[]>) | 'empty' | 'invalid'
  /** With this many matches or more, there are too many. */
  readonly max: number
  /** What to type. */
  readonly hint: string
}

/** The state of a search. */
export type SearchOutcome<Item> =
  | { state: 'idle' }
  | { state: 'invalid' }
  | { state: 'searching' }
  | { state: 'failed'; failure: Error }
  | { state: 'found'; items: readonly Item[] }

/** The text under the search box. */
export function searchMessage<Item>(
  { name: [one, many], max, hint }: Pick<Entity<Item>, 'name' | 'max' | 'hint'>,
  outcome: SearchOutcome<Item>,
): string | undefined {
  switch (outcome.state) {
    case 'idle':
      return undefined
    case 'invalid':
      return `Invalid filter text. ${hint}`
    case 'searching':
      return 'Loading...'
    case 'failed':
      return failureText(outcome.failure)
    case 'found':
      if (outcome.items.length >= max) return `Too many ${many} found. ${hint}`
      return outcome.items.length === 0 ? `No ${one} found.` : undefined
  }
}

type Reactions<Item> = { onFound(items: readonly Item[]): void; onInvalid(): void }

/** Searches one second after the last keystroke, or at once with `searchNow`. */
export function useEntitySearch<Item>(entity: Entity<Item>, { onFound, onInvalid }: Reactions<Item>) {
  /** The typed text; undefined while the box shows the chosen item. */
  const [typed, setTyped] = useState<string>()
  const [isInvalid, setIsInvalid] = useState(false)
  const [previous, setPrevious] = useState<readonly Item[]>([])
  const { mutate, reset, ...search } = useMutation({ mutationFn: (run: () => Promise<readonly Item[]>) => run() })

  const run = (text: string) => {
    const found = entity.search(text)
    if (found === 'invalid') {
      setIsInvalid(true)
      onInvalid()
    }
    // React Query calls these only if no other search has started and this one was not canceled.
    else if (found !== 'empty')
      mutate(found, {
        onSuccess: (items) => {
          setPrevious(items)
          onFound(items)
        },
      })
  }
  const runLater = useDebouncedCallback(run, TYPING_PAUSE)

  const stop = () => {
    runLater.cancel()
    reset()
    setIsInvalid(false)
  }

  return {
    typed,
    /** The result of the previous search. */
    previous,
    outcome: outcomeOf(isInvalid, search),
    type(text: string) {
      stop()
      setTyped(text)
      runLater(text)
    },
    searchNow(text: string) {
      stop()
      run(text)
    },
    leave() {
      stop()
      setTyped(undefined)
      setPrevious([])
    },
  }
}

function outcomeOf<Item>(
  isInvalid: boolean,
  search: { isPending: boolean; error: Error | null; data: readonly Item[] | undefined },
): SearchOutcome<Item> {
  if (isInvalid) return { state: 'invalid' }
  if (search.isPending) return { state: 'searching' }
  if (search.error) return { state: 'failed', failure: search.error }
  return search.data ? { state: 'found', items: search.data } : { state: 'idle' }
}
