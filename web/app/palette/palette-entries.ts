import type { Hit } from '#contract/search/search.ts'
import { licenseServerPath } from '#domain/activations/hosts/host.ts'
import { INSIDE_WORDS, wordRank } from '#domain/search/word-rank.ts'
import { type PortalScreen, SCREENS, type ScreenPath } from '#web/app/screens/screens.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import type { RecentThing } from '#web/lib/kept/recent-things.ts'
import type { Account } from '#web/modules/accounts/accounts.api.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { tableAddress } from '#web/table/view/table-address.ts'

/** A line of the palette: what it says, and where it leads. */
export type PaletteEntry = {
  key: string
  label: string
  detail: string
  /** The screen that it opens, for its icon; none for another account. */
  screen: ScreenPath | undefined
  to: string
  /** Something of an account, which is listed as recent afterwards. */
  isThing?: true
}

export type PaletteSection<Entry = PaletteEntry> = { title: string; entries: readonly Entry[] }

/** Sorts by how well the name answers what was typed, then by how well the rest does. Without either, an entry is left out. */
export function byRank<Entry>(
  entries: readonly Entry[],
  typed: string,
  {
    nameOf,
    restOf,
    worst = INSIDE_WORDS,
  }: { nameOf(entry: Entry): string; restOf(entry: Entry): string; worst?: number },
): Entry[] {
  const NONE = INSIDE_WORDS + 1
  return entries
    .map((entry) => {
      const all = wordRank(`${nameOf(entry)} ${restOf(entry)}`, typed) ?? NONE
      return { entry, all, name: wordRank(nameOf(entry), typed) ?? NONE }
    })
    .filter(({ all }) => all <= worst)
    .toSorted((one, other) => one.name - other.name || one.all - other.all)
    .map(({ entry }) => entry)
}

type FoundScreen = Pick<PortalScreen, 'path' | 'title' | 'about' | 'synonyms'>
type FoundGroup = { readonly title: string; readonly entries: readonly FoundScreen[] }

/** The screens whose title, group, description or synonyms have every typed word. Those whose title has them come first. */
export function screenEntries(groups: readonly FoundGroup[], typed: string, number: string | undefined) {
  const all = groups.flatMap(({ title, entries }) => entries.map((entry) => ({ ...entry, group: title })))
  return byRank(all, typed, {
    nameOf: ({ title }) => title,
    restOf: ({ about, synonyms = '', group }) => `${group} ${about} ${synonyms}`,
  }).map(
    ({ path, title, group, about }): PaletteEntry => ({
      key: `screen ${path}`,
      label: title,
      detail: group || about,
      screen: path,
      to: withCustomer(`/${path}`, number),
    }),
  )
}

/** Switches to another account on the same screen. */
export function accountEntry({ number, name }: Account, pathname: string): PaletteEntry {
  return {
    key: `account ${number}`,
    label: name,
    detail: number,
    screen: undefined,
    to: withCustomer(pathname, number),
  }
}

const SECTIONS: Readonly<Record<Hit['kind'], string>> = {
  account: 'Accounts',
  entitlement: 'Entitlements',
  product: 'Products',
  host: 'License servers',
  'elastic server': 'Elastic license servers',
  'denied address': 'Denied addresses',
  'denied user': 'Denied users',
  project: 'Projects',
  contact: 'Contacts',
  grant: 'Sales access and license generators',
  'web user': 'Web users',
  'support address': 'Support addresses',
}

const ENTITLEMENT_SCREENS = { SSL: 'ssl', ELASTIC: 'elastic', FSA: 'entitlementsFSA' } as const

type IsOpen = (screen: ScreenPath) => boolean

/** The screen that shows a hit. */
function screenOfHit({ kind, type }: Pick<Hit, 'kind' | 'type'>, isOpen: IsOpen): ScreenPath | undefined {
  switch (kind) {
    case 'account':
      return undefined
    case 'entitlement':
    case 'product':
      return ENTITLEMENT_SCREENS[type ?? 'SSL']
    case 'host':
      return 'license-servers/:id'
    case 'elastic server':
      return 'clscredentials'
    case 'denied address':
    case 'denied user':
      return 'elastic-denials'
    case 'project':
      return 'transactions'
    case 'contact':
    case 'grant':
      return 'portalaccess'
    case 'web user':
      // Two variants of one screen: a person has one of them.
      return isOpen('f1202990') ? 'f1202990' : 'web-assignments'
    case 'support address':
      return 'home'
  }
}

/** An active or inactive entitlement: one of the two tables shows it. */
const inBothTables = (screen: string, filter: ColumnFilter) =>
  tableAddress(
    `/${screen}`,
    { prefix: 'active.', filters: { ansysproduct: filter } },
    { prefix: 'inactive.', filters: { ansysproduct: filter } },
  )

const equal = (filter: string): ColumnFilter => ({ filterType: 'text', type: 'equals', filter })

function addressOf(hit: Hit, pathname: string, isOpen: IsOpen): string {
  const screen = screenOfHit(hit, isOpen)
  switch (hit.kind) {
    case 'account':
      return pathname
    case 'entitlement':
      return inBothTables(screen ?? '', { filterType: 'text', type: 'contains', filter: hit.id })
    case 'product':
      return inBothTables(screen ?? '', equal(hit.id))
    case 'host':
      return licenseServerPath(hit.id)
    case 'denied address':
      return tableAddress(`/${screen}`, { dateRange: '1 Month', filters: { REFERER_IP_ADDRESS: equal(hit.id) } })
    case 'denied user':
      return tableAddress(`/${screen}`, { dateRange: '1 Month', filters: { User: equal(hit.id) } })
    case 'project':
      return tableAddress(`/${screen}`, { dateRange: '3 Months', filters: { Project: equal(hit.id) } })
    case 'contact':
      return `/${screen}?${new URLSearchParams({ find: hit.id })}`
    case 'web user':
      return `${tableAddress(`/${screen}`, { prefix: 'user.', filters: { email: equal(hit.id) } })}&tab=users`
    default:
      return `/${screen}`
  }
}

type Place = { readonly number: string | undefined; readonly pathname: string }

/** What the server found, by kind. Hits on other accounts say on which. */
export function hitSections(hits: readonly Hit[], { number, pathname }: Place, isOpen: IsOpen): PaletteSection[] {
  const shown = hits.filter((hit) => {
    const screen = screenOfHit(hit, isOpen)
    return screen === undefined || isOpen(screen)
  })
  return [...Map.groupBy(shown, ({ kind }) => kind)].map(([kind, found]) => ({
    title: SECTIONS[kind],
    entries: found.map((hit) => ({
      key: `${hit.kind} ${hit.customerNumber} ${hit.type} ${hit.id} ${hit.detail}`,
      label: hit.title,
      detail: detailOf(hit, number),
      screen: screenOfHit(hit, isOpen),
      ...(hit.kind !== 'account' && { isThing: true }),
      to: withCustomer(addressOf(hit, pathname, isOpen), hit.customerNumber),
    })),
  }))
}

function detailOf(hit: Hit, number: string | undefined): string {
  const id = hit.title === hit.id ? '' : hit.id
  const account =
    hit.kind === 'account' || hit.customerNumber === number ? '' : `${hit.customerName} (${hit.customerNumber})`
  return [id, hit.detail, account].filter(Boolean).join(' · ')
}

/** What the person opened last, but for what is on the screen. */
export function recentEntries(things: readonly RecentThing[], here: string, isOpen: IsOpen): PaletteEntry[] {
  return things.flatMap(({ label, detail, screen, to }) => {
    const path = SCREENS.find((one) => one.path === screen)?.path
    return path && isOpen(path) && to !== here
      ? [{ key: `recent ${to}`, label, detail, screen: path, to, isThing: true }]
      : []
  })
}
