import { addDays, startOfDay } from '#domain/calendar/calendar-day.ts'
import { casefold, hasCase } from '#domain/filter/casefold.ts'
import type { FieldDeclaration } from '#domain/filter/fields.ts'
import type { Method } from '#domain/filter/filter.ts'
import type { Bound, Check, TextPlace } from '#domain/filter/parsed-filter.ts'
import { isoText, readDay, readInstant, readNumber, readPair, readText, readTruth } from '#domain/filter/values.ts'

const PLACES: Partial<Record<Method, TextPlace>> = {
  CONTAINS: 'anywhere',
  STARTSWITH: 'start',
  ENDSWITH: 'end',
  EQUALS: 'whole',
}

export function textCheck(method: Method, value: unknown, folds: boolean, place: string): Check {
  const text = readText(value, place)
  const needle = folds ? casefold(text) : text
  // Without folding, the database can use the plain index.
  return { kind: 'text', place: PLACES[method] ?? 'whole', needle, casefold: folds && hasCase(needle) }
}

export function truthCheck(value: unknown, place: string): Check {
  return { kind: 'truth', value: readTruth(value, place) }
}

export function memberCheck(value: unknown, place: string): Check {
  return { kind: 'member', value: readText(value, place) }
}

export function rangeCheck(
  field: FieldDeclaration,
  method: Method,
  value: unknown,
  timeZone: string,
  place: string,
): Check {
  const { low, high } = endsOf(method, value, scaleOf(field, method, timeZone), place)
  return {
    kind: 'range',
    ...(low ? { low } : {}),
    ...(high ? { high } : {}),
    orMissing: field.missingIsFuture === true && high === undefined,
  }
}

function endsOf(method: Method, value: unknown, scale: Scale, place: string): { low?: Bound; high?: Bound } {
  switch (method) {
    case '>':
    case 'AFTER':
    case 'AFTERDAY':
      return { low: scale.above(value, place) }
    case '<':
    case 'BEFORE':
    case 'BEFOREDAY':
      return { high: scale.below(value, place) }
    case '>=':
      return { low: scale.from(value, place) }
    case '<=':
      return { high: scale.through(value, place) }
    case 'EQUALS':
      return { low: scale.from(value, place), high: scale.through(value, place) }
    default: {
      const [low, high] = readPair(value, place)
      return {
        ...(low === null ? {} : { low: scale.from(low, `${place}.value[0]`) }),
        ...(high === null ? {} : { high: scale.through(high, `${place}.value[1]`) }),
      }
    }
  }
}

/** How the four ends of a range are written for one kind of value. */
type Scale = Record<'from' | 'above' | 'through' | 'below', (value: unknown, place: string) => Bound>

const included = (value: string): Bound => ({ value, included: true })
const excluded = (value: string): Bound => ({ value, included: false })

const numbers: Scale = {
  from: (value, place) => included(readNumber(value, place)),
  above: (value, place) => excluded(readNumber(value, place)),
  through: (value, place) => included(readNumber(value, place)),
  below: (value, place) => excluded(readNumber(value, place)),
}

const days: Scale = {
  from: (value, place) => included(readDay(value, place)),
  above: (value, place) => excluded(readDay(value, place)),
  through: (value, place) => included(readDay(value, place)),
  below: (value, place) => excluded(readDay(value, place)),
}

/** An instant means its whole millisecond: the database keeps microseconds, which the wire does not show. */
const instants: Scale = {
  from: (value, place) => included(isoText(readInstant(value, place))),
  above: (value, place) => included(isoText(readInstant(value, place) + 1)),
  through: (value, place) => excluded(isoText(readInstant(value, place) + 1)),
  below: (value, place) => excluded(isoText(readInstant(value, place))),
}

/** Whole days of an instant, in the zone whose days they are. */
function daysOfInstants(timeZone: string): Scale {
  const start = (value: unknown, place: string) => startOfDay(timeZone, readDay(value, place)).toISOString()
  const end = (value: unknown, place: string) => startOfDay(timeZone, addDays(readDay(value, place), 1)).toISOString()
  return {
    from: (value, place) => included(start(value, place)),
    above: (value, place) => included(end(value, place)),
    through: (value, place) => excluded(end(value, place)),
    below: (value, place) => excluded(start(value, place)),
  }
}

function scaleOf(field: FieldDeclaration, method: Method, timeZone: string): Scale {
  if (field.type === 'number') return numbers
  if (field.type === 'day') return days
  return method.endsWith('DAY') || method === 'DAYRANGE' ? daysOfInstants(timeZone) : instants
}
