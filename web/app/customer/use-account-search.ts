import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { parseAccountSearch } from '#domain/accounts/account-search.ts'
import type { SearchOutcome } from '#web/app/customer/search-message.ts'
import { type Account, searchAccounts } from '#web/modules/accounts/accounts.api.ts'

const TYPING_PAUSE = 1000

type Reactions = { onFound(accounts: readonly Account[]): void; onInvalid(): void }

/** Searches a second after the last keystroke, or at once when told to. */
export function useAccountSearch({ onFound, onInvalid }: Reactions) {
  /** What is being typed; undefined while the box only shows the selected customer. */
  const [typed, setTyped] = useState<string>()
  const [isInvalid, setIsInvalid] = useState(false)
  const { mutate, reset, ...search } = useMutation({ mutationFn: searchAccounts })

  const run = (text: string) => {
    const parsed = parseAccountSearch(text)
    if (parsed.kind === 'invalid') {
      setIsInvalid(true)
      onInvalid()
    }
    // The reaction belongs to this search alone: it is dropped when a later one, or none, takes its place.
    else if (parsed.kind !== 'empty') mutate(parsed, { onSuccess: onFound })
  }
  const runLater = useDebouncedCallback(run, TYPING_PAUSE)

  const stop = () => {
    runLater.cancel()
    reset()
    setIsInvalid(false)
  }

  return {
    typed,
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
    },
  }
}

function outcomeOf(
  isInvalid: boolean,
  search: { isPending: boolean; error: Error | null; data: Account[] | undefined },
): SearchOutcome {
  if (isInvalid) return { state: 'invalid' }
  if (search.isPending) return { state: 'searching' }
  if (search.error) return { state: 'failed', failure: search.error }
  return search.data ? { state: 'found', accounts: search.data } : { state: 'idle' }
}
