import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { OptionsReading } from '#domain/license-use/logs/options-reader.ts'
import { createMembership } from '#domain/options-files/membership.ts'
import { optionsTextProblem, readOptions, readOptionsRules } from '#domain/options-files/options-document.ts'
import { featureWords, TYPE_WORDS } from '#domain/options-files/options-words.ts'
import { isSameFeature, mostReserved, type Reservation } from '#domain/options-files/reservations.ts'

/** A feature that a vendor daemon serves. */
export type ServedFeature = {
  readonly feature: string
  /** As in the license file; empty if only the license server has named it. */
  readonly versions: readonly string[]
  /** Null: not counted, or not known. */
  readonly seats: number | null
}

export type OptionsFacts = {
  /** Empty: neither a license file nor lmstat says what the daemon serves, so features are not checked. */
  readonly features: readonly ServedFeature[]
  /** Reservations of the calendar that are not over. */
  readonly reservations: readonly Reservation[]
  readonly today: CalendarDay
}

export type OptionsProblem = {
  /** Null: it is about the whole file. */
  readonly line: number | null
  /** A file with an error is not saved. */
  readonly severity: 'error' | 'warning'
  readonly text: string
}

type Rule = OptionsReading['rules'][number]

/** Vendor daemons raise a shorter timeout to their own minimum, which is 15 minutes for most of them. In seconds. */
const USUAL_MINIMUM = 900
/** Of each severity. */
const MAX_PROBLEMS = 300
/** Statements that no table shows but that are not wrong either. */
const OTHER_KEYWORDS = ['USERCASEINSENSITIVE', 'TIMESTAMP', 'PURGE_OPTIONS', 'ENABLE_SILENT_BORROW']
const SYNTAX: Readonly<Record<string, string>> = {
  RESERVE: 'a whole number above 0, a feature, a type such as GROUP, and a name',
  MAX: 'a whole number above 0, a feature, a type such as GROUP, and a name',
  INCLUDEALL: 'a type such as GROUP, and a name',
  EXCLUDEALL: 'a type such as GROUP, and a name',
  GROUP: 'a name and its members',
  USER_GROUP: 'a name and its members',
  HOST_GROUP: 'a name and its members',
  TIMEOUT: 'a feature and a number of seconds',
  TIMEOUTALL: 'a number of seconds',
}
/** Settings whose value is a number. */
const NUMERIC = ['TIMEOUT', 'TIMEOUTALL', 'LINGER', 'MAX_BORROW_HOURS', 'BORROW_LOWWATER', 'MAX_OVERDRAFT']
/** Control characters have no place in a file that a program reads line by line. */
const CONTROL = /(?![\t\r\n])\p{Cc}/u

/** Every line of an options file against what its vendor daemon serves, by line. */
export function checkOptions(text: string, facts: OptionsFacts): OptionsProblem[] {
  const excess = optionsTextProblem(text)
  if (excess) return [{ line: null, severity: 'error', text: excess }]
  const reading = readOptionsRules(text)
  const problems = [
    ...lineProblems(text),
    ...groupProblems(reading),
    ...featureProblems(reading, facts),
    ...seatProblems(reading, facts),
    ...accessProblems(reading, facts),
    ...reservationProblems(reading, facts),
  ]
  const [errors, warnings] = [problems.filter(isError), problems.filter((one) => !isError(one))]
  return [...errors.slice(0, MAX_PROBLEMS), ...warnings.slice(0, MAX_PROBLEMS)].sort(
    (one, other) => (one.line ?? 0) - (other.line ?? 0),
  )
}

const isError = ({ severity }: OptionsProblem) => severity === 'error'
export const hasErrors = (problems: readonly OptionsProblem[]) => problems.some(isError)

const error = (line: number | null, text: string): OptionsProblem => ({ line, severity: 'error', text })
const warning = (line: number | null, text: string): OptionsProblem => ({ line, severity: 'warning', text })

function lineProblems(text: string): OptionsProblem[] {
  return readOptions(text).flatMap(({ line, written, statement, isTooLong }) => {
    if (isTooLong) return [error(line, 'This line has more than 4,096 characters.')]
    if (CONTROL.test(written)) return [error(line, 'This line has a control character.')]
    if (statement === null) return []
    if (statement.kind === 'unreadable') {
      const { code, keyword } = statement
      if (code === 'bad-rule') return [error(line, `${keyword} needs ${SYNTAX[keyword] ?? SYNTAX.INCLUDEALL}.`)]
      return OTHER_KEYWORDS.includes(keyword)
        ? []
        : [warning(line, `${keyword} is no known keyword. The line is kept as it is.`)]
    }
    if (statement.kind === 'rule' && statement.surplus.length > 0)
      return [warning(line, `Vendor daemons ignore what follows ${statement.name}: ${statement.surplus.join(' ')}.`)]
    if (statement.kind === 'group' && statement.members.length === 0)
      return [warning(line, `Group ${statement.name} has no members.`)]
    if (statement.kind !== 'setting' || !NUMERIC.includes(statement.setting)) return []
    if (!/^\d{1,9}$/.test(statement.value)) return [error(line, `${statement.setting} needs a whole number.`)]
    return statement.setting.startsWith('TIMEOUT') && Number(statement.value) < USUAL_MINIMUM
      ? [warning(line, `Most vendor daemons raise a timeout below ${USUAL_MINIMUM} seconds to their own minimum.`)]
      : []
  })
}

function groupProblems({ rules, problems, groups, hostGroups }: OptionsReading): OptionsProblem[] {
  const unknown = new Set(problems.flatMap(({ code, line }) => (code === 'unknown-group' ? [line] : [])))
  return rules
    .filter(({ line }) => unknown.has(line))
    .map(({ line, type, name }) => {
      const all = type === 'GROUP' ? groups : hostGroups
      const similar = all.find((group) => group.name.toLowerCase() === name.toLowerCase())
      const hint = similar ? ` Names of groups are case sensitive: the file has ${similar.name}.` : ''
      return error(line, `There is no ${TYPE_WORDS[type]} ${name}.${hint}`)
    })
}

function featureProblems({ rules, settings }: OptionsReading, { features }: OptionsFacts): OptionsProblem[] {
  if (features.length === 0) return []
  return [...rules, ...settings].flatMap(({ line, feature, selector }) => {
    if (feature === null) return []
    const served = features.find((one) => isSameFeature(one.feature, feature))
    if (!served) return [error(line, `The license file has no feature ${feature} of this vendor daemon.`)]
    const version = selector?.VERSION
    return version === undefined || served.versions.length === 0 || served.versions.includes(version)
      ? []
      : [error(line, `The license file has ${feature} in version ${served.versions.join(', ')}, not ${version}.`)]
  })
}

const seatsOf = (features: readonly ServedFeature[], feature: string) =>
  features.find((one) => isSameFeature(one.feature, feature))?.seats ?? null

function seatProblems({ rules }: OptionsReading, { features }: OptionsFacts): OptionsProblem[] {
  const reserved = new Map<string, number>()
  return rules.flatMap(({ line, rule, count, feature }) => {
    const seats = feature === null ? null : seatsOf(features, feature)
    if (feature === null || count === null || seats === null) return []
    if (rule === 'MAX')
      return count > seats ? [warning(line, `This limit has no effect: there are ${seats} seats of ${feature}.`)] : []
    const before = reserved.get(feature.toLowerCase()) ?? 0
    reserved.set(feature.toLowerCase(), before + count)
    if (before + count <= seats) return []
    const sum = before > 0 ? ` With the lines above, ${before + count} would be reserved.` : ''
    return [error(line, `There are ${seats} seats of ${feature}.${sum} Vendor daemons ignore what is beyond.`)]
  })
}

/** How many seats of a feature RESERVE lines of the file reserve. */
export const reservedInFile = ({ rules }: OptionsReading, feature: string): number =>
  rules.reduce(
    (sum, one) =>
      one.rule === 'RESERVE' && one.feature !== null && isSameFeature(one.feature, feature)
        ? sum + (one.count ?? 0)
        : sum,
    0,
  )

/** Who is shut out, perhaps without anybody meaning it. */
function accessProblems(reading: OptionsReading, { reservations }: OptionsFacts): OptionsProblem[] {
  const { rules } = reading
  const warned = new Set<string>()
  const firstIncludes = rules.flatMap(({ rule, line, feature }) => {
    const key = rule === 'INCLUDE' ? (feature ?? '').toLowerCase() : rule === 'INCLUDEALL' ? '*' : undefined
    if (key === undefined || warned.has(key)) return []
    warned.add(key)
    const [what, lines] =
      rule === 'INCLUDE' ? [feature, `INCLUDE lines of ${feature}`] : ['any feature', 'INCLUDEALL lines']
    return [warning(line, `From here on, only those in ${lines} can use ${what}. Everybody else is shut out.`)]
  })
  const excludes = rules.filter(({ rule }) => rule === 'EXCLUDE' || rule === 'EXCLUDEALL')
  const membership = createMembership(reading)
  const shadowed = rules.flatMap((one) => {
    if (!['RESERVE', 'INCLUDE', 'INCLUDEALL', 'MAX'].includes(one.rule)) return []
    for (const exclude of excludes) {
      if (!concerns(exclude, one)) continue
      const names = membership.namesInBoth(one, exclude)
      if (names.length === 0) continue
      return [warning(one.line, `${excluded(names)} by line ${exclude.line}, and EXCLUDE comes first.`)]
    }
    return []
  })
  const calendar = Map.groupBy(reservations, ({ feature, group }) => JSON.stringify([feature.toLowerCase(), group]))
  const useless = [...calendar.values()].flatMap(([one]) => {
    if (!one) return []
    const { feature, group } = one
    const reserve = { type: 'GROUP', name: group, feature } as const
    for (const exclude of excludes) {
      const names = concerns(exclude, reserve) ? membership.namesInBoth(reserve, exclude) : []
      if (names.length > 0)
        return [
          warning(
            exclude.line,
            `The calendar reserves seats of ${feature} for group ${group}, but ${excluded(names)} here.`,
          ),
        ]
    }
    return []
  })
  const skipped = membership.isExhausted()
    ? [warning(null, 'The groups are so large that not every line was compared with the EXCLUDE lines.')]
    : []
  return [...firstIncludes, ...shadowed, ...useless, ...skipped]
}

function concerns(exclude: Rule, { feature }: Pick<Rule, 'feature'>): boolean {
  if (exclude.feature === null) return true
  return exclude.selector === null && feature !== null && isSameFeature(exclude.feature, feature)
}

const MAX_NAMES = 3
const listed = (names: readonly string[]) =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
    : names.join(', ')

/** Reservations of the calendar must still fit into the file that is saved. */
function reservationProblems(
  reading: OptionsReading,
  { features, reservations, today }: OptionsFacts,
): OptionsProblem[] {
  const groups = reading.groups.map(({ name }) => name)
  const gone = [...new Set(reservations.map(({ group }) => group))].filter((group) => !groups.includes(group))
  const over = [...new Set(reservations.map(({ feature }) => feature))].flatMap((feature) => {
    const seats = seatsOf(features, feature)
    const most = mostReserved(reservations, feature, today)
    const inFile = reservedInFile(reading, feature)
    if (seats === null || !most || most.seats + inFile <= seats) return []
    const sum = `${most.seats + inFile} of ${seats} seats of ${featureWords(feature, null)}`
    return [error(null, `On ${most.day}, the calendar and the RESERVE lines would reserve ${sum}.`)]
  })
  return [
    ...gone.map((group) =>
      error(null, `The calendar has reservations of group ${group}, which the file does not have.`),
    ),
    ...over,
  ]
}

const excluded = (names: readonly string[]) => `${listed(names)} ${names.length === 1 ? 'is' : 'are'} excluded`
