import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { MAX_HITS, SHORTEST_SEARCH } from '#contract/search/search.ts'
import { can } from '#domain/access/can.ts'
import { useOfferedAccounts } from '#web/app/customer/account-links.tsx'
import { pathOnOtherAccount } from '#web/app/customer/choose-customer.ts'
import { guideEntries } from '#web/app/guide/guide-pages.ts'
import { useMenu } from '#web/app/menu/use-menu.ts'
import {
  accountEntry,
  hasWords,
  hitSections,
  type PaletteEntry,
  type PaletteSection,
  recentEntries,
  screenEntries,
} from '#web/app/palette/palette-entries.ts'
import {
  type Objects,
  requestEntries,
  requestsIn,
  searchedObject,
  type VerbRequest,
} from '#web/app/palette/verb-requests.ts'
import {
  contactAnswers,
  contractAnswers,
  hostAnswers,
  MAX_ANSWERS,
  textAnswer,
  type Verb,
  type VerbEntry,
  verbEntries,
} from '#web/app/palette/verbs.ts'
import { screenAt } from '#web/app/screens/screens.ts'
import { useFeatures } from '#web/app/screens/use-features.ts'
import { call } from '#web/lib/api-client.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { recentThings } from '#web/lib/recent-things.ts'
import { featureOf } from '#web/lib/screen.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { serversQuery } from '#web/modules/activations/activations.api.ts'
import { contactChoiceQuery } from '#web/modules/settings/portal-access.api.ts'
import { contractsQuery } from '#web/ui/spending-accounts.ts'

export type AnyEntry = PaletteEntry | VerbEntry

/** What the palette lists for a text, and what its footer says about it. */
export type Listed = { sections: readonly PaletteSection<AnyEntry>[]; message: string; isSearching: boolean }

const TYPING_PAUSE = 150

/** What a text finds: verbs, screens and what the server knows. Without a text, what is likely to come next. */
export function useSections(typed: string): Listed {
  const { user, actor } = useSignedIn()
  const customer = useCustomer()
  const number = customer.state === 'known' ? customer.number : undefined
  const location = useLocation()
  const pathname = pathOnOtherAccount(location.pathname)
  const menu = useMenu()
  const features = useFeatures()
  const offered = useOfferedAccounts()
  const screensOfMenu = new Set(menu.flatMap(({ entries }) => entries.map(({ path }) => path)))
  const requests = requestsIn(typed, { screens: screensOfMenu })
  /** "rehost lic-01" searches for lic-01. */
  const wanted = searchedObject(requests) ?? typed
  const [settled] = useDebouncedValue(wanted, TYPING_PAUSE)
  const isLong = wanted.length >= SHORTEST_SEARCH
  const found = useQuery(searchQuery(settled, number))
  const isSettled = settled === wanted && !found.isPlaceholderData
  const objects = useObjects(requests, number, isSettled ? (isLong ? found.data : []) : undefined)
  const isOpen = (path: Parameters<typeof screenAt>[0]) => features?.isOpen(featureOf(screenAt(path))) ?? false
  const standing = customer.state === 'known' ? customer.standing : undefined
  const viewer = standing && { actor, standing, screens: screensOfMenu }
  const today = customer.state === 'known' ? customer.info.today : ''
  const verbs = viewer
    ? [
        ...requestEntries(requests, objects, viewer, { today, pathname: location.pathname }),
        ...verbEntries(typed, viewer),
      ]
    : []
  const actions = { title: 'Actions', entries: verbs }
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

/** What the requests can be about. Lists are loaded only where a request needs them. */
function useObjects(requests: readonly VerbRequest[], number: string | undefined, hits: Objects['hits']): Objects {
  const needs = (kind: 'host' | 'contract' | 'contact') =>
    number !== undefined && requests.some(({ verb }) => verb.asks?.kind === kind)
  const hosts = useQuery({ ...serversQuery(number ?? ''), enabled: needs('host') })
  const contracts = useQuery({ ...contractsQuery(number ?? ''), enabled: needs('contract') })
  const contacts = useQuery({ ...contactChoiceQuery(number ?? ''), enabled: needs('contact') })
  return { hosts: hosts.data, contracts: contracts.data, contacts: contacts.data, hits }
}

/** What a verb asks for: something of the account to choose, or a text to type. */
export function useAnswers(verb: Verb | undefined, typed: string): Listed {
  const { actor } = useSignedIn()
  const customer = useCustomer()
  const { pathname } = useLocation()
  const question = verb?.asks
  const known = customer.state === 'known' ? customer : undefined
  const number = known?.number ?? ''
  const isAsked = (kind: NonNullable<typeof question>['kind']) => question?.kind === kind && number !== ''
  const hosts = useQuery({ ...serversQuery(number), enabled: isAsked('host') })
  const contracts = useQuery({ ...contractsQuery(number), enabled: isAsked('contract') })
  const contacts = useQuery({ ...contactChoiceQuery(number), enabled: isAsked('contact') })
  if (!verb || !question || !known) return { sections: [], message: '', isSearching: false }
  if (question.kind === 'text') {
    const { entries, error } = textAnswer(verb, typed)
    const message = error ?? (entries.length > 0 ? 'Press Enter to continue.' : `For example ${question.example}`)
    return { sections: entries.length > 0 ? [{ title: question.text, entries }] : [], message, isSearching: false }
  }
  const { kind } = question
  const { error, isLoading } = { host: hosts, contract: contracts, contact: contacts }[kind]
  const entries = answersOf()
  return {
    sections: entries.length > 0 ? [{ title: question.text, entries }] : [],
    isSearching: isLoading,
    message: messageOf(),
  }

  function answersOf(): readonly VerbEntry[] {
    if (!verb || !known) return []
    if (kind === 'contract') return contractAnswers(verb, contracts.data ?? [], typed, known.info.today)
    if (kind === 'host') return hostAnswers(verb, hosts.data ?? [], typed, pathname)
    const mayGrant = can(actor, 'contacts.grant-coordinator', known.standing).allowed
    return contactAnswers(verb, contacts.data ?? [], typed, mayGrant)
  }

  function messageOf(): string {
    const [what, none, hint] = CHOICES[kind as keyof typeof CHOICES]
    if (error) return failureText(error)
    if (isLoading) return 'Loading…'
    if (entries.length === 0) return typed === '' ? none : `No ${what} matches "${typed}".`
    if (entries.length >= MAX_ANSWERS) return `First ${MAX_ANSWERS} ${what}s. Type more to narrow.`
    return hint
  }
}

const CHOICES = {
  host: ['license server', 'No license server of this account holds seats.', 'Type a name or a host ID.'],
  contract: ['spending account', 'This account has no spending account to order from.', 'Type an ID or an end date.'],
  contact: ['contact', 'This account has no contacts.', 'Type an email address or a role.'],
} as const

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
