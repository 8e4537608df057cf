import type { EntitlementField } from '#contract/entitlements/entitlement-list.ts'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  LICENSE_MODEL_GROUPS,
  type LicenseModelGroup,
  MODELS_OF_GROUP,
  MODELS_OUTSIDE_NETWORK,
  NODE_LOCKED_MARK,
} from '#domain/entitlements/license-model.ts'
import {
  EXPIRED,
  endDateWith,
  MAINTENANCE_ENDED,
  MAINTENANCE_ENDS_ON,
  NOT_STARTED,
  PERMANENT,
} from '#domain/entitlements/term.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'

export const LEASE_COLUMNS = [
  'ansysproduct',
  'ansyslicensemodel',
  'ansyscount',
  'startdate',
  'enddate',
  'remainingdays',
] as const
export type LeaseColumn = (typeof LEASE_COLUMNS)[number]

/** A filter that a person typed over a column of the leases and perpetuals. */
export type TypedFilter = {
  readonly column: LeaseColumn
  readonly method: 'CONTAINS' | 'EQUALS'
  readonly text: string
}

type Element = CriterionInput | FilterInput
type Criterion = CriterionInput & { name: EntitlementField }

/** Translates typed filters for the entitlement list: the columns show more than any one field holds. */
export function leaseFilter(typed: readonly TypedFilter[], today: CalendarDay): FilterInput {
  const filled = typed.map((one) => ({ ...one, text: one.text.trim() })).filter(({ text }) => text !== '')
  return { condition: 'ALL', criteria: filled.map((one) => elementFor(one, today)) }
}

function elementFor({ column, method, text }: TypedFilter, today: CalendarDay): Element {
  switch (column) {
    case 'ansysproduct':
      return any([
        { name: 'ProductName', method, value: text },
        { name: 'ActivationId', method, value: text },
      ])
    case 'ansyslicensemodel':
      return licenseModelFilter(method, text) ?? NOTHING
    case 'ansyscount':
      return countIs(text)
    case 'startdate':
      return dayIs('StartDate', method, text)
    case 'enddate':
      return expirationIs(method, text, today)
    case 'remainingdays':
      return remainingIs(method, text, today)
  }
}

/** Matches no row, because every row has an activation id. Text that fits no value must not be ignored. */
const NOTHING: Criterion = { name: 'ActivationId', method: 'ISDEFINED', value: false }

function countIs(text: string): Criterion {
  const count = wholeNumber(text)
  return count === undefined ? NOTHING : { name: 'LineItemQuantity', method: 'EQUALS', value: count }
}

/** A whole day matches that day; anything shorter is searched in the text of the day. */
function dayIs(
  name: 'StartDate' | 'EndDate' | 'VersionDate',
  method: TypedFilter['method'] | 'STARTSWITH',
  text: string,
): Criterion {
  if (isCalendarDay(text)) return { name, method: 'EQUALS', value: `${text}T00:00:00.000Z` }
  return { name, method, value: text, tostring: true }
}

/** The cell shows the end day. A permanent entitlement has none: its cell says until when it is maintained, if that is known. */
function expirationIs(method: TypedFilter['method'], text: string, today: CalendarDay): Element {
  const shown = text.toLowerCase()
  if (shown === MAINTENANCE_ENDED.toLowerCase())
    return isPermanent({ name: 'VersionDate', method: 'BEFOREDAY', value: today })
  if (/^[\d-]+$/.test(shown)) {
    const ends = dayIs('EndDate', method, shown)
    return method === 'EQUALS' ? ends : any([ends, isPermanent(dayIs('VersionDate', method, shown))])
  }
  const phrase = MAINTENANCE_ENDS_ON.toLowerCase()
  if (method === 'CONTAINS' && phrase.includes(shown))
    return isPermanent({ name: 'VersionDate', method: 'ISDEFINED', value: true })
  // The last words of the phrase, a space, and the beginning of the day.
  const dayAt = shown.lastIndexOf(' ') + 1
  const words = shown.slice(0, dayAt)
  const isEndOfPhrase = method === 'EQUALS' ? words === `${phrase} ` : words !== '' && `${phrase} `.endsWith(words)
  if (!isEndOfPhrase) return NOTHING
  return isPermanent(dayIs('VersionDate', method === 'EQUALS' ? method : 'STARTSWITH', shown.slice(dayAt)))
}

function isPermanent(...more: Criterion[]): FilterInput {
  return { condition: 'ALL', criteria: [{ name: 'EndDate', method: 'ISDEFINED', value: false }, ...more] }
}

function remainingIs(method: TypedFilter['method'], text: string, today: CalendarDay): Element {
  const days = wholeNumber(text)
  if (days !== undefined) return hasDaysLeft(days, today)
  const shown = text.toUpperCase()
  const words = REMAINING_WORDS.filter(({ word }) => (method === 'EQUALS' ? word === shown : word.includes(shown)))
  const [only] = words
  if (!only) return NOTHING
  return words.length === 1 ? only.criterion(today) : any(words.map(({ criterion }) => criterion(today)))
}

/** No entitlement ends after the last day of the calendar. */
function hasDaysLeft(days: number, today: CalendarDay): Criterion {
  if (Math.abs(days) > 1_000_000) return NOTHING
  const endDate = endDateWith(days, today)
  return isCalendarDay(endDate) ? dayIs('EndDate', 'EQUALS', endDate) : NOTHING
}

const REMAINING_WORDS: readonly { word: string; criterion: (today: CalendarDay) => Criterion }[] = [
  { word: PERMANENT, criterion: () => ({ name: 'IsActivationPermanent', method: 'EQUALS', value: 'true' }) },
  { word: EXPIRED, criterion: (today) => ({ name: 'EndDate', method: 'BEFOREDAY', value: today }) },
  { word: NOT_STARTED, criterion: (today) => ({ name: 'StartDate', method: 'AFTERDAY', value: today }) },
]

/** A whole number, with or without thousands separators, as the cells show it. */
function wholeNumber(text: string): number | undefined {
  return /^-?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
}

const any = (criteria: Element[]): FilterInput => ({ condition: 'ANY', criteria })

/** The license models of the groups whose name matches; undefined if none does. */
function licenseModelFilter(method: 'CONTAINS' | 'EQUALS', text: string): FilterInput | undefined {
  const typed = text.toLowerCase()
  const groups = LICENSE_MODEL_GROUPS.filter((group) => {
    const name = group.toLowerCase()
    return method === 'EQUALS' ? name === typed : name.includes(typed)
  })
  if (groups.length === 0) return undefined
  return { condition: 'ANY', criteria: groups.map(modelsOf) }
}

/** Matches exactly the rows that `licenseModelGroup` puts into the group. */
function modelsOf(group: LicenseModelGroup): FilterInput {
  if (group === 'Node Locked') return { condition: 'ANY', criteria: [nodeLockedByName, isModel('Node Locked')] }
  return { condition: 'ALL', criteria: [{ ...nodeLockedByName, not: true }, ...underlying(group)] }
}

/** An unknown model counts as Network, so Network is every model outside the other groups. */
function underlying(group: LicenseModelGroup): (CriterionInput | FilterInput)[] {
  if (group === 'Network') return MODELS_OUTSIDE_NETWORK.map((model) => ({ ...isModel(model), not: true }))
  return [{ condition: 'ANY', criteria: MODELS_OF_GROUP[group].map(isModel) }]
}

const isModel = (model: string): CriterionInput => ({
  name: 'LicenseModel',
  method: 'EQUALS',
  value: model,
  casefold: false,
})

const nodeLockedByName: CriterionInput = {
  name: 'ProductName',
  method: 'CONTAINS',
  value: NODE_LOCKED_MARK,
  casefold: false,
}
