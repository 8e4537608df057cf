import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import {
  isOfPeople,
  LIMIT_SUBJECTS,
  type Limit,
  type LimitNames,
  type LimitSubject,
  limitsOn,
  partsOf,
  type StartNames,
  subjectText,
  userKey,
  whoOf,
} from '#domain/elastic/limits/limit.ts'
import { isProductAllowed, type ProductRule } from '#domain/elastic/limits/product-rules.ts'
import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'

/** Times are milliseconds since 1970, amounts exact texts with at most two decimals. */
type Past = { readonly names: StartNames; readonly currency: string }

/** A session that is over, with all parts of its charge. */
export type PastSession = Past & {
  readonly id: string
  readonly startedAt: number
  readonly endedAt: number
  readonly charge: string
  /** What it counted with from its first instant. */
  readonly least: string
}

/** A start that a limit or a product rule refused: nobody knows how long its session would have been. */
export type PastDenial = Past & {
  readonly at: number
  readonly least: string
  /** Starts of one person on one host are retries. */
  readonly host: string
}

export type PastCorrection = Past & { readonly of: string; readonly at: number; readonly charge: string }

/** What was booked before the time of the replay, by the limits "in all" that it counts against. */
export type UsedBefore = Past & { readonly limit: number; readonly charge: string }

export type PastMonth = {
  readonly timeZone: string
  /** Sessions that began earlier are replayed as they were: they only count. */
  readonly from: number
  readonly sessions: readonly PastSession[]
  readonly denials: readonly PastDenial[]
  readonly corrections: readonly PastCorrection[]
  readonly usedBefore: readonly UsedBefore[]
}

export type Refused = {
  readonly refused: number
  /** What the refused sessions were charged. */
  readonly units: string
  /** Who was refused most: "User anna". At most three. */
  readonly most: readonly string[]
  /** When the first was refused; null if none was. */
  readonly firstAt: number | null
}

export type Replay = {
  readonly starts: number
  readonly refused: number
  /** Of the refused starts, those that a product rule refused. */
  readonly notAllowed: number
  /** Starts that were refused by a limit or a product rule then, and those that would have been admitted. */
  readonly denied: number
  readonly admitted: number
  /** One for each limit. */
  readonly limits: readonly Refused[]
}

const MAX_NAMED = 3
const QUARTER = 15 * 60_000

/** What one subject has used: booked amounts of a day, of the month and in all, and its running sessions. In hundredths. */
type Account = {
  day: CalendarDay
  ofDay: number
  ofMonth: number
  readonly running: Set<Running>
}
type Running = { readonly startedAt: number; readonly endedAt: number; readonly charge: number; readonly least: number }

type Event = { readonly at: number; readonly session: string; book(): void }

/**
 * Starts the sessions of a month again, with these limits and product rules from its first instant on. A refused session never ran, so it
 * uses nothing. A start that was refused then and would be admitted counts with what a session costs at least. `from` and `to` of the
 * limits do not matter: choose the limits with `limitsToReplay`.
 */
export function replayLimits(
  { timeZone, from, sessions, denials, corrections, usedBefore }: PastMonth,
  limits: readonly Limit[],
  rules: readonly ProductRule[],
): Replay {
  const dayOf = dayCache(timeZone)
  const open = limits.map((limit, index) => ({ ...limit, from: null, to: null, index }))
  const accounts = new Map<string, Account>()
  const subjects = LIMIT_SUBJECTS.filter((subject) => limits.some((limit) => limit.subject === subject))
  const accountOf = (subject: LimitSubject, past: Past): Account => {
    const key = accountKey(subject, past)
    const known = accounts.get(key)
    if (known) return known
    const made: Account = { day: '', ofDay: 0, ofMonth: 0, running: new Set() }
    accounts.set(key, made)
    return made
  }
  const carried = new Map<string, number>()
  for (const { limit, charge, ...past } of usedBefore) {
    const key = `${limit} ${accountKey(limits[limit]?.subject ?? 'account', past)}`
    carried.set(key, (carried.get(key) ?? 0) + hundredths(charge))
  }
  const book = (past: Past, at: number, charge: number) => {
    for (const subject of subjects) {
      const account = accountOf(subject, past)
      const day = dayOf(at)
      if (account.day !== day) {
        account.day = day
        account.ofDay = 0
      }
      account.ofDay += charge
      account.ofMonth += charge
    }
  }
  const usedAt = (limit: (typeof open)[number], past: Past, at: number): number => {
    const account = accountOf(limit.subject, past)
    let used = limit.period !== 'day' ? account.ofMonth : account.day === dayOf(at) ? account.ofDay : 0
    if (limit.period === 'all') used += carried.get(`${limit.index} ${accountKey(limit.subject, past)}`) ?? 0
    for (const running of account.running) used += accruedAt(running, at)
    return used
  }
  const found = limits.map(() => ({
    refused: 0,
    units: 0,
    names: new Map<string, number>(),
    firstAt: null as number | null,
  }))
  const refusedSessions = new Set<string>()
  const events = new EventQueue(
    corrections.map((one) => ({
      at: one.at,
      session: one.of,
      book: () => book(one, one.at, hundredths(one.charge)),
    })),
  )
  const admit = (session: string, past: Past, running: Running) => {
    for (const subject of subjects) accountOf(subject, past).running.add(running)
    events.add({
      at: running.endedAt,
      session,
      book() {
        for (const subject of subjects) accountOf(subject, past).running.delete(running)
        book(past, running.endedAt, running.charge)
      },
    })
  }
  /** Many starts have the same names. */
  const chosen = new Map<string, readonly (typeof open)[number][]>()
  const limitsOf = ({ names, currency }: Past) => {
    const key = JSON.stringify([names.user, names.project, names.product, currency])
    const known = chosen.get(key)
    if (known) return known
    const found = limitsOn(open, names, { day: '', currency })
    chosen.set(key, found)
    return found
  }
  const reached = (past: Past, at: number, least: number) =>
    limitsOf(past).find(
      (limit) => limit.refuseAt !== null && usedAt(limit, past, at) + least > hundredths(limit.refuseAt),
    )

  const result = { starts: 0, refused: 0, notAllowed: 0, denied: 0, admitted: 0 }
  const retriedUntil = new Map<string, number>()
  for (const one of inOrder(sessions, denials)) {
    const at = 'at' in one ? one.at : one.startedAt
    events.runUntil(at, refusedSessions)
    const least = hundredths(one.least)
    if ('at' in one) {
      const retry = JSON.stringify([one.names, one.host])
      if ((retriedUntil.get(retry) ?? 0) > at) continue
      result.denied++
      if (!isProductAllowed(rules, one.names.user, one.names.product) || reached(one, at, least)) continue
      result.admitted++
      retriedUntil.set(retry, at + QUARTER)
      admit(`denial ${result.admitted}`, one, { startedAt: at, endedAt: at + QUARTER, charge: least, least })
      continue
    }
    const running = { startedAt: at, endedAt: one.endedAt, charge: hundredths(one.charge), least }
    if (at < from) {
      admit(one.id, one, running)
      continue
    }
    result.starts++
    const isAllowed = isProductAllowed(rules, one.names.user, one.names.product)
    const limit = isAllowed ? reached(one, at, least) : undefined
    if (isAllowed && !limit) {
      admit(one.id, one, running)
      continue
    }
    result.refused++
    refusedSessions.add(one.id)
    const entry = limit && found[limit.index]
    if (!limit || !entry) {
      result.notAllowed++
      continue
    }
    entry.refused++
    entry.units += running.charge
    entry.firstAt ??= at
    const name = nameOf(limit, one.names)
    entry.names.set(name, (entry.names.get(name) ?? 0) + 1)
  }
  return {
    ...result,
    limits: found.map(({ refused, units, names, firstAt }) => ({
      refused,
      units: formatHundredths(BigInt(units)),
      most: [...names]
        .sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
        .slice(0, MAX_NAMED)
        .map(([name]) => name),
      firstAt,
    })),
  }
}

/**
 * Of limits that differ in their days only, the one of today or else the next one; those that are over do not count. The indexes are those
 * of the list.
 */
export function limitsToReplay<L extends Limit>(limits: readonly L[], today: CalendarDay): L[] {
  const chosen = new Map<string, L>()
  const byStart = [...limits].sort((one, other) => ((one.from ?? '') < (other.from ?? '') ? -1 : 1))
  for (const limit of byStart) {
    if (limit.to !== null && limit.to < today) continue
    const key = identity(limit)
    if (!chosen.has(key)) chosen.set(key, limit)
  }
  return limits.filter((limit) => chosen.get(identity(limit)) === limit)
}

/** Limits with the same identity may not hold on the same day. */
export function identity({ subject, user, project, product, period, currency }: Limit): string {
  return JSON.stringify([subject, user === null ? null : userKey(user), project, product, period, currency])
}

/** A refused start is told by its user, or by its project where the limit is of a user already. */
const nameOf = (limit: Pick<Limit, 'subject'> & LimitNames, names: StartNames): string =>
  limit.user === null || isOfPeople(limit.subject)
    ? subjectText({ subject: 'user', user: names.user, project: null, product: null })
    : subjectText({ subject: 'project', user: null, project: names.project, product: null })

function accountKey(subject: LimitSubject, { names, currency }: Past): string {
  const parts = partsOf(subject).map((part) => (part === 'user' ? userKey(whoOf(subject, names)) : names[part]))
  return JSON.stringify([subject, currency, ...parts])
}

const hundredths = (amount: string) => Number(toHundredths(amount))

/** The part of the charge that the time so far has, rounded half-up, and never less than that of the first 15 minutes. */
function accruedAt({ startedAt, endedAt, charge, least }: Running, at: number): number {
  const length = endedAt - startedAt
  if (length <= 0) return Math.max(least, charge)
  const twice = 2 * charge * (at - startedAt) + length
  const accrued = Number.isSafeInteger(twice)
    ? (twice - (twice % (2 * length))) / (2 * length)
    : Number((2n * BigInt(charge) * BigInt(at - startedAt) + BigInt(length)) / (2n * BigInt(length)))
  return Math.max(least, accrued)
}

/** By time. Sessions of one instant start in the order of their ids, and what was refused comes after them. */
function inOrder(sessions: readonly PastSession[], denials: readonly PastDenial[]): (PastSession | PastDenial)[] {
  const timeOf = (one: PastSession | PastDenial) => ('at' in one ? one.at : one.startedAt)
  const idOf = (one: PastSession | PastDenial) => ('at' in one ? '' : one.id)
  return [...[...sessions].sort((one, other) => (one.id < other.id ? -1 : 1)), ...denials].sort(
    (one, other) =>
      timeOf(one) - timeOf(other) || Number('at' in one) - Number('at' in other) || (idOf(one) < idOf(other) ? -1 : 1),
  )
}

/** Ends of sessions and corrections, the earliest first: a binary heap. */
class EventQueue {
  readonly #events: Event[]

  constructor(events: readonly Event[]) {
    this.#events = [...events].sort((one, other) => one.at - other.at)
  }

  add(event: Event): void {
    const events = this.#events
    let at = events.length
    events.push(event)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((events[parent] as Event).at <= event.at) break
      events[at] = events[parent] as Event
      at = parent
    }
    events[at] = event
  }

  /** Books everything up to an instant, except what belongs to refused sessions. */
  runUntil(at: number, refused: ReadonlySet<string>): void {
    for (let first = this.#events[0]; first && first.at <= at; first = this.#events[0]) {
      this.#removeFirst()
      if (!refused.has(first.session)) first.book()
    }
  }

  #removeFirst(): void {
    const events = this.#events
    const last = events.pop()
    if (!last || events.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= events.length) break
      const right = left + 1
      const child = right < events.length && (events[right] as Event).at < (events[left] as Event).at ? right : left
      if ((events[child] as Event).at >= last.at) break
      events[at] = events[child] as Event
      at = child
    }
    events[at] = last
  }
}

/** Clocks of all zones differ by multiples of 15 minutes, so a day is looked up once for each of them. */
function dayCache(timeZone: string): (at: number) => CalendarDay {
  const days = new Map<number, CalendarDay>()
  return (at) => {
    const quarter = Math.floor(at / QUARTER)
    const known = days.get(quarter)
    if (known !== undefined) return known
    const day = dayIn(timeZone, new Date(quarter * QUARTER))
    days.set(quarter, day)
    return day
  }
}
