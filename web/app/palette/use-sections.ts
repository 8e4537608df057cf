import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, skipToken, useQueries, useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { type Hit, MAX_HITS, SHORTEST_SEARCH } from '#contract/search/search.ts'
import { hasWords } from '#domain/search/word-rank.ts'
import { useOfferedAccounts } from '#web/app/customer/account-links.tsx'
import { pathOnOtherAccount } from '#web/app/customer/choose-customer.ts'
import { guideEntries } from '#web/app/guide/guide-pages.ts'
import { useMenu } from '#web/app/menu/use-menu.ts'
import {
  type ActionEntry,
  actionEntries,
  listAnswers,
  listQuestion,
  questionOf,
  requestEntries,
  requestsIn,
  textAnswer,
  textQuestion,
} from '#web/app/palette/action-entries.ts'
import type { PaletteAction } from '#web/app/palette/actions.ts'
import {
  accountEntry,
  hitSections,
  type PaletteEntry,
  type PaletteSection,
  recentEntries,
  screenEntries,
} from '#web/app/palette/palette-entries.ts'
import { screenAt } from '#web/app/screens/screens.ts'
import { useFeatures } from '#web/app/screens/use-features.ts'
import { type Asker, type ListQuestion, MAX_ANSWERS } from '#web/lib/action.ts'
import { featureOf } from '#web/lib/address/screen.ts'
import { call } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { recentThings } from '#web/lib/kept/recent-things.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'

export type AnyEntry = PaletteEntry | ActionEntry

/** What the palette lists for a text, and what its footer says about it. */
export type Listed = { sections: readonly PaletteSection<AnyEntry>[]; message: string; isSearching: boolean }

const TYPING_PAUSE = 150

/** What a text finds: actions, screens and what the server knows. Without a text, what is likely to come next. */
export function useSections(typed: string): Listed {
  const { user } = useSignedIn()
  const asker = useAsker()
  const number = asker?.standing.customerNumber
  const location = useLocation()
  const pathname = pathOnOtherAccount(location.pathname)
  const menu = useMenu()
  const features = useFeatures()
  const offered = useOfferedAccounts()
  const screensOfMenu = new Set(menu.flatMap(({ entries }) => entries.map(({ path }) => path)))
  const requests = requestsIn(typed, screensOfMenu)
  /** "rehost lic-01" searches for lic-01. */
  const wanted = requests[0]?.name ?? typed
  const [settled] = useDebouncedValue(wanted, TYPING_PAUSE)
  const isLong = wanted.length >= SHORTEST_SEARCH
  const found = useQuery(searchQuery(settled, number))
  const isSettled = settled === wanted && !found.isPlaceholderData
  const lists = useLists(
    requests.flatMap(({ action }) => listQuestion(action) ?? []),
    number,
  )
  const isOpen = (path: Parameters<typeof screenAt>[0]) => features?.isOpen(featureOf(screenAt(path))) ?? false
  const loaded = {
    lists: new Map([...lists].map(([query, result]) => [query, result?.data])),
    products: isSettled ? productsIn(isLong ? found.data : []) : undefined,
  }
  const entries = asker
    ? [...requestEntries(requests, loaded, asker), ...actionEntries(typed, { ...asker, screens: screensOfMenu })]
    : []
  const actions = { title: 'Actions', entries }
  const screens = { title: 'Screens', entries: screenEntries(menu, typed, number) }
  const others = offered.items.filter((account) => account.number !== number)
  const accounts = { title: 'Switch account', entries: others.map((account) => accountEntry(account, pathname)) }
  const things = number ? recentThings(user.email, number) : []
  const recent = { title: 'Recent', entries: recentEntries(things, location.pathname + location.search, isOpen) }
  const hits = isLong && found.data ? hitSections(found.data, { number, pathname }, isOpen) : []
  const guide = { title: 'Guide', entries: isLong ? guideEntries(typed, location.pathname + location.search) : [] }
  const isNamed = ({ label }: AnyEntry) => hasWords(label, typed)
  const isScreenMeant = screens.entries.some(isNamed) && !actions.entries.some(isNamed)
  const sections: readonly PaletteSection<AnyEntry>[] =
    typed === ''
      ? [recent, actions, accounts, screens]
      : [...(isScreenMeant ? [screens, actions] : [actions, screens]), ...hits, guide]
  const isSearching = isLong && (found.isFetching || settled !== wanted)
  const count = countEntries(sections)
  return {
    sections: sections.filter(({ entries }) => entries.length > 0),
    isSearching,
    message: messageOf(),
  }

  function messageOf(): string {
    if (isLong && found.error) return failureText(found.error)
    if (isSearching) return 'Searching…'
    if (count === 0) return `Nothing matches "${typed}".`
    if (!isLong) return 'Type to search.'
    if (hits.some(({ entries }) => entries.length >= MAX_HITS))
      return `First ${MAX_HITS} of each kind. Type more to narrow.`
    return count === 1 ? '1 result' : `${countText(count)} results`
  }
}

/** Leased and perpetual products, which can be activated. */
const productsIn = (hits: readonly Hit[] | undefined) =>
  hits?.filter(({ kind, type }) => kind === 'product' && type === 'SSL').map(({ id }) => id)

/** What the questions choose from. */
function useLists(questions: readonly ListQuestion[], number: string | undefined) {
  const queries = number === undefined ? [] : [...new Set(questions.map(({ query }) => query))]
  const results = useQueries({ queries: queries.map((query) => query(number ?? '')) })
  return new Map(queries.map((query, index) => [query, results[index]]))
}

/** What an action asks for: something of the account to choose, or a text to type. */
export function useAnswers(action: PaletteAction | undefined, typed: string): Listed {
  const asker = useAsker()
  const list = action && listQuestion(action)
  const lists = useLists(list ? [list] : [], asker?.standing.customerNumber)
  const loaded = list && lists.get(list.query)
  if (!action || !asker) return { sections: [], message: '', isSearching: false }
  if (!list) {
    const { entries, error } = textAnswer(action, typed)
    const example = `For example ${textQuestion(action)?.example}`
    const message = error ?? (entries.length > 0 ? 'Press Enter to continue.' : example)
    return { sections: sectionOf(entries), message, isSearching: false }
  }
  const entries = loaded?.data === undefined ? [] : listAnswers(action, loaded.data, typed, asker)
  return { sections: sectionOf(entries), isSearching: loaded?.isLoading ?? false, message: messageOf(list) }

  function sectionOf(entries: readonly ActionEntry[]): Listed['sections'] {
    const title = action && questionOf(action)
    return title && entries.length > 0 ? [{ title, entries }] : []
  }

  function messageOf({ what, noAnswer, hint }: ListQuestion): string {
    if (loaded?.error) return failureText(loaded.error)
    if (loaded?.isLoading) return 'Loading…'
    if (entries.length === 0) return typed === '' ? noAnswer : `No ${what} matches "${typed}".`
    if (entries.length >= MAX_ANSWERS) return `First ${MAX_ANSWERS} ${what}s. Type more to narrow.`
    return hint
  }
}

/** Who asks, where an account is selected. */
export function useAsker(): Asker | undefined {
  const { actor } = useSignedIn()
  const customer = useCustomer()
  const { pathname } = useLocation()
  if (customer.state !== 'known') return undefined
  return { actor, standing: customer.standing, today: customer.info.today, pathname }
}

export const countEntries = (sections: Listed['sections']) =>
  sections.reduce((sum, { entries }) => sum + entries.length, 0)

/** The hits of the server. Shorter texts find screens only. */
function searchQuery(text: string, customerNumber: string | undefined) {
  return queryOptions({
    queryKey: ['search', customerNumber, text],
    queryFn:
      text.length < SHORTEST_SEARCH
        ? skipToken
        : ({ signal }) => call('search', { body: { text, ...(customerNumber ? { customerNumber } : {}) }, signal }),
    placeholderData: keepPreviousData,
  })
}
