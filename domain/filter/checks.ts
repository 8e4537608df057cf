import { addDays, startOfDay } from '#domain/calendar/calendar-day.ts'
import { casefold, hasCase } from '#domain/filter/casefold.ts'
import type { FieldDeclaration } from '#domain/filter/fields.ts'
import type { Method } from '#domain/filter/filter.ts'
import type { Bound, Check, TextMatch } from '#domain/filter/parsed-filter.ts'
import { isoText, readDay, readInstant, readNumber, readPair, readText, readTruth } from '#domain/filter/values.ts'

const MATCHES: Partial<Record<Method, TextMatch>> = {
  CONTAINS: 'anywhere',
  STARTSWITH: 'start',
  ENDSWITH: 'end',
  EQUALS: 'whole',
}

export function textCheck(method: Method, value: unknown, folds: boolean, path: string): Check {
  const text = readText(value, path)
  const needle = folds ? casefold(text) : text
  // Without folding, the database can use the plain index.
  return { kind: 'text', match: MATCHES[method] ?? 'whole', needle, casefold: folds && hasCase(needle) }
}

export function truthCheck(value: unknown, path: string): Check {
  return { kind: 'truth', value: readTruth(value, path) }
}

export function memberCheck(value: unknown, path: string): Check {
  return { kind: 'member', value: readText(value, path) }
}

export function rangeCheck(
  field: FieldDeclaration,
  method: Method,
  value: unknown,
  timeZone: string,
  path: string,
): Check {
  const { low, high } = endsOf(method, value, scaleOf(field, method, timeZone), path)
  return {
    kind: 'range',
    ...(low ? { low } : {}),
    ...(high ? { high } : {}),
    orMissing: field.missingIsFuture === true && high === undefined,
  }
}

function endsOf(method: Method, value: unknown, scale: Scale, path: string): { low?: Bound; high?: Bound } {
  switch (method) {
    case '>':
    case 'AFTER':
    case 'AFTERDAY':
      return { low: scale.above(value, path) }
    case '<':
    case 'BEFORE':
    case 'BEFOREDAY':
      return { high: scale.below(value, path) }
    case '>=':
      return { low: scale.from(value, path) }
    case '<=':
      return { high: scale.through(value, path) }
    case 'EQUALS':
      return { low: scale.from(value, path), high: scale.through(value, path) }
    default: {
      const [low, high] = readPair(value, path)
      return {
        ...(low === null ? {} : { low: scale.from(low, `${path}.value[0]`) }),
        ...(high === null ? {} : { high: scale.through(high, `${path}.value[1]`) }),
      }
    }
  }
}

/** How the four ends of a range are written for one kind of value. */
type Scale = Record<'from' | 'above' | 'through' | 'below', (value: unknown, path: string) => Bound>

const included = (value: string): Bound => ({ value, included: true })
const excluded = (value: string): Bound => ({ value, included: false })

const numbers: Scale = {
  from: (value, path) => included(readNumber(value, path)),
  above: (value, path) => excluded(readNumber(value, path)),
  through: (value, path) => included(readNumber(value, path)),
  below: (value, path) => excluded(readNumber(value, path)),
}

const days: Scale = {
  from: (value, path) => included(readDay(value, path)),
  above: (value, path) => excluded(readDay(value, path)),
  through: (value, path) => included(readDay(value, path)),
  below: (value, path) => excluded(readDay(value, path)),
}

/** An instant means its whole millisecond: the database keeps microseconds, which the wire does not show. */
const instants: Scale = {
  from: (value, path) => included(isoText(readInstant(value, path))),
  above: (value, path) => included(isoText(readInstant(value, path) + 1)),
  through: (value, path) => excluded(isoText(readInstant(value, path) + 1)),
  below: (value, path) => excluded(isoText(readInstant(value, path))),
}

/** Whole days of an instant, in the zone whose days they are. */
function daysOfInstants(timeZone: string): Scale {
  const start = (value: unknown, path: string) => startOfDay(timeZone, readDay(value, path)).toISOString()
  const end = (value: unknown, path: string) => startOfDay(timeZone, addDays(readDay(value, path), 1)).toISOString()
  return {
    from: (value, path) => included(start(value, path)),
    above: (value, path) => included(end(value, path)),
    through: (value, path) => excluded(end(value, path)),
    below: (value, path) => excluded(start(value, path)),
  }
}

function scaleOf(field: FieldDeclaration, method: Method, timeZone: string): Scale {
  if (field.type === 'number') return numbers
  if (field.type === 'day') return days
  return method.endsWith('DAY') || method === 'DAYRANGE' ? daysOfInstants(timeZone) : instants
}
