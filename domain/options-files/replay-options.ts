import type { OptionsReading } from '#domain/license-use/logs/options-reader.ts'
import {
  CHECKOUT,
  type MeasuredCheckout,
  type MeasuredDenial,
  type MeasuredEvents,
  orderMoments,
  RETURN,
} from '#domain/license-use/use/measured-moments.ts'
import { createMembership } from '#domain/options-files/membership.ts'
import { isSameFeature } from '#domain/options-files/reservations.ts'

type Rule = OptionsReading['rules'][number]
type Person = { readonly user: string; readonly host: string }

/** What one license server measured of one feature. */
export type MeasuredRequests = MeasuredEvents<MeasuredCheckout & Person, MeasuredDenial & Person> & {
  /** Seats from a second on, the earliest first; null: not known, which limits nobody. */
  readonly limits: readonly { readonly at: number; readonly seats: number | null }[]
}

export type OptionsChange = {
  /** Measured denials that the options of before repeat, and those of after do not. */
  readonly avoided: number
  /** Measured checkouts that the options of before grant, and those of after deny. */
  readonly added: number
}

/** What other options would have done to the measured requests of a feature. */
export function compareOptions(
  before: OptionsReading,
  after: OptionsReading,
  feature: string,
  measured: MeasuredRequests,
): OptionsChange {
  const play = createReplay(measured)
  const [old, now] = [play(rulesOf(before, feature)), play(rulesOf(after, feature))]
  const count = (all: readonly unknown[], isCounted: (index: number) => boolean) =>
    all.reduce<number>((sum, _, index) => (isCounted(index) ? sum + 1 : sum), 0)
  return {
    avoided: count(measured.denials, (index) => !old.denials[index] && now.denials[index] === 1),
    added: count(measured.checkouts, (index) => old.checkouts[index] === 1 && !now.checkouts[index]),
  }
}

const REPLAYED = ['RESERVE', 'MAX', 'INCLUDE', 'EXCLUDE', 'INCLUDEALL', 'EXCLUDEALL']
const MEASURED_TYPES = ['USER', 'HOST', 'GROUP', 'HOST_GROUP']

/** Logs name user and host of a request, but not its display, address or project, nor which license of a feature it took. */
const canReplay = ({ rule, type, selector }: Rule): boolean =>
  REPLAYED.includes(rule) && MEASURED_TYPES.includes(type) && selector === null

/** Rules that limit access or seats, but cannot be replayed. Those of borrowing and entitlements limit neither. */
export const isLeftOut = (rule: Rule): boolean => REPLAYED.includes(rule.rule) && !canReplay(rule)

type RulesOfFeature = {
  readonly reserves: readonly { readonly rule: Rule; readonly seats: number }[]
  readonly maxima: readonly { readonly rule: Rule; readonly seats: number }[]
  readonly excludes: readonly Rule[]
  /** Null: everybody who is not excluded. */
  readonly includes: readonly Rule[] | null
  readonly isMeant: (rule: Rule, person: Person) => boolean
}

function rulesOf(reading: OptionsReading, feature: string): RulesOfFeature {
  const own = reading.rules.filter((one) => one.feature === null || isSameFeature(one.feature, feature))
  const replayed = own.filter(canReplay)
  const counted = (rule: string) =>
    replayed.filter((one) => one.rule === rule).map((one) => ({ rule: one, seats: one.count ?? 0 }))
  const isInclude = ({ rule }: Rule) => rule === 'INCLUDE' || rule === 'INCLUDEALL'
  // Whom an INCLUDE by project or address lets in is not known, so nobody is shut out.
  const hasOthers = own.some((one) => isInclude(one) && !canReplay(one))
  const includes = replayed.filter(isInclude)
  return {
    reserves: counted('RESERVE'),
    maxima: counted('MAX'),
    excludes: replayed.filter(({ rule }) => rule === 'EXCLUDE' || rule === 'EXCLUDEALL'),
    includes: includes.length === 0 || hasOthers ? null : includes,
    isMeant: createMatcher(reading),
  }
}

/** Names of users count to the letter, those of hosts in any case; `10.0.0.*` means all addresses of a network. */
function createMatcher(reading: OptionsReading) {
  const membership = createMembership(reading)
  return (rule: Rule, { user, host }: Person): boolean => {
    const { kind, names } = membership.namesOf(rule)
    if (kind === 'USER') return names.has(user)
    if (names.has(host)) return true
    for (const name of names) if (isSameHost(name.toLowerCase(), host.toLowerCase())) return true
    return false
  }
}

function isSameHost(name: string, host: string): boolean {
  if (!name.includes('*')) return name === host
  const [wanted, parts] = [name.split('.'), host.split('.')]
  return wanted.length === parts.length && wanted.every((one, index) => one === '*' || one === parts[index])
}

type Outcome = { readonly checkouts: Uint8Array; readonly denials: Uint8Array }

/**
 * Plays measured requests again under some rules: who may use the feature at all, then MAX, then seats, those that are reserved for
 * the requester first. As in the planner, a request that is denied holds nothing, and one that was denied in fact holds nothing if it is granted.
 * In the answer, 1 is a granted request.
 */
function createReplay(measured: MeasuredRequests): (rules: RulesOfFeature) => Outcome {
  const moments = orderMoments(measured)
  return ({ reserves, maxima, excludes, includes, isMeant }) => {
    const outcome = {
      checkouts: new Uint8Array(measured.checkouts.length),
      denials: new Uint8Array(measured.denials.length),
    }
    const rightsOf = memoize((person: Person) => {
      const meant = (all: readonly { readonly rule: Rule }[]) =>
        all.flatMap(({ rule }, index) => (isMeant(rule, person) ? [index] : []))
      const isAllowed =
        !excludes.some((rule) => isMeant(rule, person)) && (includes?.some((rule) => isMeant(rule, person)) ?? true)
      return { isAllowed, reserves: meant(reserves), maxima: meant(maxima) }
    })
    const usedOfReserve = reserves.map(() => 0)
    const usedOfMax = maxima.map(() => 0)
    let usedOfPool = 0
    let limit = 0
    let seats: number | null = null
    /** What each checkout took: pairs of a reservation and seats. -1 is the pool. */
    const taken = new Map<number, (readonly [from: number, count: number])[]>()

    /** Reservations beyond the seats are ignored, the last ones first. */
    function capacities() {
      let left = seats ?? Number.POSITIVE_INFINITY
      const reserved = reserves.map((one) => {
        const capacity = Math.min(one.seats, left)
        left -= capacity
        return capacity
      })
      return { reserved, pool: left }
    }
    let capacity = capacities()

    function take(count: number, from: readonly number[]): (readonly [number, number])[] | undefined {
      const parts: [number, number][] = []
      let wanted = count
      for (const index of from) {
        const free = Math.max(0, (capacity.reserved[index] ?? 0) - (usedOfReserve[index] ?? 0))
        const part = Math.min(free, wanted)
        if (part > 0) parts.push([index, part])
        wanted -= part
      }
      if (wanted > Math.max(0, capacity.pool - usedOfPool)) return undefined
      if (wanted > 0) parts.push([-1, wanted])
      return parts
    }

    function move(parts: readonly (readonly [number, number])[], sign: 1 | -1): void {
      for (const [from, count] of parts)
        if (from < 0) usedOfPool += sign * count
        else usedOfReserve[from] = (usedOfReserve[from] ?? 0) + sign * count
    }
    const moveMax = (own: readonly number[], change: number) => {
      for (const index of own) usedOfMax[index] = (usedOfMax[index] ?? 0) + change
    }

    for (const { kind, at, index, count } of moments) {
      while (limit < measured.limits.length && (measured.limits[limit]?.at ?? 0) <= at) {
        seats = measured.limits[limit]?.seats ?? null
        limit += 1
        capacity = capacities()
      }
      const person = (kind === CHECKOUT || kind === RETURN ? measured.checkouts : measured.denials)[index]!
      const rights = rightsOf(person)
      if (kind === RETURN) {
        const parts = taken.get(index)
        if (!parts) continue
        taken.delete(index)
        move(parts, -1)
        moveMax(rights.maxima, -count)
        continue
      }
      const isBelowMax = rights.maxima.every((own) => (usedOfMax[own] ?? 0) + count <= (maxima[own]?.seats ?? 0))
      const parts = rights.isAllowed && isBelowMax ? take(count, rights.reserves) : undefined
      if (!parts) continue
      if (kind === CHECKOUT) {
        outcome.checkouts[index] = 1
        taken.set(index, parts)
        move(parts, 1)
        moveMax(rights.maxima, count)
      } else outcome.denials[index] = 1
    }
    return outcome
  }
}

function memoize<Value>(make: (person: Person) => Value): (person: Person) => Value {
  const known = new Map<string, Value>()
  return (person) => {
    const key = `${person.user}\0${person.host}`
    const found = known.get(key)
    if (found) return found
    const made = make(person)
    known.set(key, made)
    return made
  }
}
