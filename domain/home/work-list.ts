import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysLeft } from '#domain/entitlements/term.ts'

/** What can be waiting on an account. The order decides between matters that are equally urgent. */
export const MATTER_KINDS = [
  'UNITS_USED_UP',
  'ADDRESS_LOCKED',
  'ADDRESS_DENIED',
  'USER_DENIED',
  'CHECKOUT_DENIED',
  'CHECKOUT_UNASSIGNED',
  'CHECKOUT_EXPIRED',
  'REQUESTS_WAIT',
  'UNITS_RUN_OUT',
  'LEASES_END',
  'WEB_LICENSES_END',
  'ELASTIC_ENDS',
  'CONTRACTS_END',
  'FILES_OUT_OF_DATE',
  'START_DENIED',
  'EMAILS_UNDELIVERED',
  'MAINTENANCE_ENDED',
] as const
export type MatterKind = (typeof MATTER_KINDS)[number]

/** Something that a person should do on an account: one line of the work list. */
export type Matter = {
  readonly kind: MatterKind
  /** Tells matters of a kind apart: an address, a username, a product. Empty where an account has one of the kind. */
  readonly subject: string
  /** The elastic license server on which the subject was denied; empty elsewhere. */
  readonly server: string
  /** The web user who was denied the product, of several the one most often; empty elsewhere. */
  readonly user: string
  /** How many web users were denied the product; 0 elsewhere. */
  readonly users: number
  readonly count: number
  /** When it happens, for what ends or runs out: the first day. */
  readonly day: CalendarDay | null
}

/** What ends is on the list for so many days before. */
export const ENDS_SOON = 30
/** Units that run out are on the list for so many days before: an order takes its time. */
export const RUNS_OUT_SOON = 60

/** Matters without a day: after how many days somebody could no longer work because of it. */
const DAYS_TO_ACT: Readonly<Partial<Record<MatterKind, number>>> = {
  UNITS_USED_UP: 0,
  ADDRESS_LOCKED: 0,
  ADDRESS_DENIED: 0,
  USER_DENIED: 0,
  CHECKOUT_DENIED: 0,
  CHECKOUT_UNASSIGNED: 0,
  CHECKOUT_EXPIRED: 0,
  REQUESTS_WAIT: 1,
  FILES_OUT_OF_DATE: 7,
  START_DENIED: 14,
  EMAILS_UNDELIVERED: 14,
  MAINTENANCE_ENDED: 30,
}

/** Days until somebody can no longer work if nothing is done. */
export function daysToAct({ kind, day }: Pick<Matter, 'kind' | 'day'>, today: CalendarDay): number {
  return day === null ? (DAYS_TO_ACT[kind] ?? ENDS_SOON) : Math.max(0, daysLeft(day, today))
}

export const urgencyOf = (days: number): 'red' | 'orange' | 'blue' =>
  days <= 7 ? 'red' : days <= 30 ? 'orange' : 'blue'

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
}

/** What waits now, most urgent first. */
export function sortedMatters(matters: readonly Matter[], today: CalendarDay): Matter[] {
  const rank = (one: Matter) => daysToAct(one, today) * MATTER_KINDS.length + MATTER_KINDS.indexOf(one.kind)
  return matters
    .filter(({ count }) => count > 0)
    .sort((one, other) => rank(one) - rank(other) || other.count - one.count)
}

/** Put off: until its day. Done: until there is more of it than there was. */
export function isHidden(matter: Matter, hidden: HiddenMatter | undefined, today: CalendarDay): boolean {
  if (!hidden) return false
  return hidden.until === null ? matter.count <= hidden.count : today < hidden.until
}
