import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysLeft } from '#domain/entitlements/term.ts'

/**
 * What can be waiting on an account. Matters are sorted by how soon somebody can no longer work (now, today, this week,
 * this month, later), then by this table: what stops the whole account comes before a product, a place or a single person.
 * The number is how many days are left to act; of a matter that has a day, its day says it.
 */
const RANKING = [
  // Everybody on the account.
  ['UNITS_USED_UP', 0],
  ['UNITS_ENDED', 0],
  ['LIMIT_REACHED', 0],
  ['ELASTIC_ENDS', 'its day'],
  ['UNITS_RUN_OUT', 'its day'],
  ['LEASES_END', 'its day'],
  ['WEB_LICENSES_END', 'its day'],
  // Everybody who needs a product.
  ['CHECKOUT_EXPIRED', 0],
  ['CHECKOUT_DENIED', 0],
  ['PRODUCT_DENIED', 0],
  ['SEATS_DENIED', 0],
  // Everybody at a place.
  ['ADDRESS_LOCKED', 0],
  ['ADDRESS_DENIED', 0],
  // One person.
  ['USER_DENIED', 0],
  ['CHECKOUT_UNASSIGNED', 0],
  ['REQUESTS_WAIT', 1],
  ['LIMIT_NEAR', 7],
  ['DOMAINS_FAILING', 7],
  // Nobody yet.
  ['CONTRACTS_END', 'its day'],
  ['FILES_OUT_OF_DATE', 7],
  ['ACCESS_UNDECIDED', 7],
  ['REVIEW_UNFINISHED', 7],
  ['PIN_DENIED', 14],
  ['LOCK_ENDED', 14],
  ['SERVERS_SILENT', 14],
  ['EMAILS_UNDELIVERED', 14],
  ['MAINTENANCE_ENDED', 30],
] as const
export type MatterKind = (typeof RANKING)[number][0]
export const MATTER_KINDS: readonly MatterKind[] = RANKING.map(([kind]) => kind)
const DAYS_TO_ACT = new Map<MatterKind, number | 'its day'>(RANKING)

/** Something that a person should do on an account: one line of the work list. */
export type Matter = {
  readonly kind: MatterKind
  /** Tells matters of a kind apart: an address, a username, a product, a currency. Empty where an account has one of the kind. */
  readonly subject: string
  /** The elastic license server on which the subject was denied; empty elsewhere. */
  readonly server: string
  /** The web user who was denied the product, of several the one most often; empty elsewhere. */
  readonly user: string
  /** How many web users were denied the product; 0 elsewhere. */
  readonly users: number
  readonly count: number
  /** How many of the leases that end have activated seats; 0 elsewhere. */
  readonly withSeats: number
  /** The first day on which something ends or runs out, or the last one of what has ended. */
  readonly day: CalendarDay | null
}

/** A matter with the values that differ from those of most kinds. */
export const matter = (kind: MatterKind, values: Partial<Matter> = {}): Matter => ({
  kind,
  subject: '',
  server: '',
  user: '',
  users: 0,
  count: 1,
  withSeats: 0,
  day: null,
  ...values,
})

/** Denials are on the list for so many days, today included. */
export const DENIAL_DAYS = 7
/** What ends is on the list for so many days before. */
export const ENDS_SOON = 30
/** Units that run out are on the list for so many days before: an order takes its time. */
export const RUNS_OUT_SOON = 60

/** Days until somebody can no longer work if nothing is done. On the last day, one is left. */
export function daysToAct({ kind, day }: Pick<Matter, 'kind' | 'day'>, today: CalendarDay): number {
  const days = DAYS_TO_ACT.get(kind)
  if (typeof days === 'number') return days
  return day === null ? ENDS_SOON : Math.max(0, daysLeft(day, today))
}

const [NOW, TODAY, WEEK, MONTH] = [0, 1, 7, 30]

/** Red is for what stops people now, orange for a day that comes; the rest can wait. */
export function signalOf(matter: Pick<Matter, 'kind' | 'day'>, today: CalendarDay): 'red' | 'orange' | 'none' {
  if (daysToAct(matter, today) === NOW) return 'red'
  return matter.day === null ? 'none' : 'orange'
}

/** Now comes before today, and today before the rest of the week. */
const bandOf = (days: number): number => [NOW, TODAY, WEEK, MONTH].filter((last) => days > last).length

/** Names a matter for as long as it waits. A user who is not assigned is a matter of their own; other users come and go. */
export const matterKey = ({
  kind,
  subject,
  server,
  user,
}: Pick<Matter, 'kind' | 'subject' | 'server' | 'user'>): string =>
  [kind, subject, kind === 'CHECKOUT_UNASSIGNED' ? user : server].join(' ').trim()

/** What a person has put off until a day, or marked as done when it had a count. */
export type HiddenMatter = {
  readonly key: string
  readonly until: CalendarDay | null
  readonly count: number
  /** When the person did so. */
  readonly on: CalendarDay
}

/** What waits now, most urgent first. */
export function sortedMatters(matters: readonly Matter[], today: CalendarDay): Matter[] {
  return matters
    .filter(({ count }) => count > 0)
    .map((one) => ({ one, days: daysToAct(one, today) }))
    .sort(
      (a, b) =>
        bandOf(a.days) - bandOf(b.days) ||
        MATTER_KINDS.indexOf(a.one.kind) - MATTER_KINDS.indexOf(b.one.kind) ||
        a.days - b.days ||
        b.one.count - a.one.count,
    )
    .map(({ one }) => one)
}

/** So many matters of a kind are named: a bound for what one act can settle. */
export const MAX_OF_KIND = 25

/** The first matters of each kind, and how many more of it wait. */
export function fewOfEachKind<M extends Pick<Matter, 'kind'>>(
  matters: readonly M[],
): { matters: M[]; moreMatters: { kind: MatterKind; count: number }[] } {
  const kinds = Map.groupBy(matters, ({ kind }) => kind)
  return {
    matters: matters.filter((one) => (kinds.get(one.kind) ?? []).indexOf(one) < MAX_OF_KIND),
    moreMatters: [...kinds]
      .map(([kind, own]) => ({ kind, count: own.length - MAX_OF_KIND }))
      .filter(({ count }) => count > 0),
  }
}

/** Matters of one cause, which one act settles. */
export type MatterGroup<M> = {
  /** Names the group while it waits. */
  readonly key: string
  readonly matters: readonly [M, ...M[]]
  /** How many more are not named. */
  readonly more: number
}

/**
 * One cause is one kind, and where people are let in by the lists of an elastic license server, one server. Groups are in
 * the order of their first matters.
 */
export function matterGroups<M extends Pick<Matter, 'kind' | 'server'>>(
  matters: readonly M[],
  more: readonly { readonly kind: MatterKind; readonly count: number }[],
): MatterGroup<M>[] {
  const groups = [...Map.groupBy(matters, ({ kind, server }) => `${kind} ${server}`.trim())]
  return groups.flatMap(([key, [first, ...others]], at) => {
    if (!first) return []
    const { kind } = first
    const isLastOfKind = groups.slice(at + 1).every(([, [later]]) => later?.kind !== kind)
    const rest = isLastOfKind ? more.find((one) => one.kind === kind)?.count : undefined
    return [{ key, matters: [first, ...others], more: rest ?? 0 }]
  })
}

/** Matters that count denials of the last days. */
const DENIALS: ReadonlySet<MatterKind> = new Set([
  'CHECKOUT_EXPIRED',
  'CHECKOUT_DENIED',
  'PRODUCT_DENIED',
  'SEATS_DENIED',
  'ADDRESS_LOCKED',
  'ADDRESS_DENIED',
  'USER_DENIED',
  'CHECKOUT_UNASSIGNED',
  'PIN_DENIED',
  'LOCK_ENDED',
])

/** A matter is done for so many days. After them, nothing of what was counted then is counted any more: what waits is new. */
export const doneDays = (kind: MatterKind): number => (DENIALS.has(kind) ? DENIAL_DAYS : ENDS_SOON)

/** Put off: until its day. Done: until there is more of it than there was, or until it can only be a new one. */
export function isHidden(matter: Matter, hidden: HiddenMatter | undefined, today: CalendarDay): boolean {
  if (!hidden) return false
  if (hidden.until !== null) return today < hidden.until
  return matter.count <= hidden.count && today < addDays(hidden.on, doneDays(matter.kind))
}
