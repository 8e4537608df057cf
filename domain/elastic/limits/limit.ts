import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { PersonFacts } from '#domain/provisioning/person-facts.ts'

/**
 * What a limit adds up: all use of the account, or that of one user, project or product, or of two of them together, or that of
 * the people of one department or cost center.
 */
export const LIMIT_SUBJECTS = [
  'account',
  'user',
  'project',
  'product',
  'user+project',
  'user+product',
  'project+product',
  'department',
  'cost-center',
] as const
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number]

export const LIMIT_PERIODS = ['day', 'month', 'all'] as const
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]

/** The parts of a subject, in the order in which they are named. */
export const SUBJECT_PARTS = ['user', 'project', 'product'] as const
export type SubjectPart = (typeof SUBJECT_PARTS)[number]

/**
 * Names of a limit: null means everybody else, or that the subject does not have this part. `user` is the department or cost center if
 * the subject is one.
 */
export type LimitNames = { readonly [P in SubjectPart]: string | null }

export type Limit = LimitNames & {
  readonly subject: LimitSubject
  readonly period: LimitPeriod
  readonly currency: string
  /** Exact units with at most two decimals; null if nobody is told. */
  readonly warnAt: string | null
  /** Null if nothing is refused. */
  readonly refuseAt: string | null
  /** The first and the last day on which the limit holds; null for open. */
  readonly from: CalendarDay | null
  readonly to: CalendarDay | null
}

/** Who and what a session is for. Usage without a project has the empty one; the provider of identities knows some users more closely. */
export type StartNames = { readonly [P in SubjectPart]: string } & Partial<PersonFacts>

const PARTS: Readonly<Record<LimitSubject, readonly SubjectPart[]>> = {
  account: [],
  user: ['user'],
  project: ['project'],
  product: ['product'],
  'user+project': ['user', 'project'],
  'user+product': ['user', 'product'],
  'project+product': ['project', 'product'],
  department: ['user'],
  'cost-center': ['user'],
}
export const partsOf = (subject: LimitSubject): readonly SubjectPart[] => PARTS[subject]

export const SUBJECT_LABELS: Readonly<Record<LimitSubject, string>> = {
  account: 'Account',
  user: 'User',
  project: 'Project',
  product: 'Product',
  'user+project': 'User and project',
  'user+product': 'User and product',
  'project+product': 'Project and product',
  department: 'Department',
  'cost-center': 'Cost center',
}

export const PERIOD_LABELS: Readonly<Record<LimitPeriod, string>> = {
  day: 'per day',
  month: 'per month',
  all: 'in all',
}

/** Usernames are compared without case, as the database does it: only A to Z have another case. */
export const userKey = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Whether a limit adds up the use of people who have something in common. */
export const isOfPeople = (subject: LimitSubject): subject is 'department' | 'cost-center' =>
  subject === 'department' || subject === 'cost-center'

/** What the `user` of a limit is compared with. Empty for users without a department or cost center: such a limit does not concern them. */
export function whoOf(subject: LimitSubject, { user, department = '', costCenter = '' }: StartNames): string {
  if (!isOfPeople(subject)) return user
  return subject === 'department' ? department : costCenter
}

const keyOf = (part: SubjectPart, name: string) => (part === 'user' ? userKey(name) : name)

/** Whether a start belongs to the subject of a limit. Names of limits and of starts are compared as `userKey` says. */
const concerns = (limit: Pick<Limit, 'subject' | SubjectPart>, start: StartNames): boolean =>
  partsOf(limit.subject).every((part) => {
    const name = limit[part]
    const started = part === 'user' ? whoOf(limit.subject, start) : start[part]
    if (isOfPeople(limit.subject) && started === '') return false
    return name === null || keyOf(part, name) === keyOf(part, started)
  })

export const isInForce = ({ from, to }: Pick<Limit, 'from' | 'to'>, day: CalendarDay): boolean =>
  (from === null || from <= day) && (to === null || day <= to)

/** More names come first; of the same number, the user goes before the project, and that before the product. */
const exactness = (limit: LimitNames): number =>
  SUBJECT_PARTS.reduce((sum, part, at) => sum + (limit[part] === null ? 0 : 8 + (4 >> at)), 0)

/** From the longest period to the shortest: what is asked about first takes longest to reset. */
const PERIOD_ORDER: readonly LimitPeriod[] = ['all', 'month', 'day']

/**
 * The limits that a start has to pass, the one that lasts longest first. Of limits with the same subject, period and currency only
 * the one with the most names counts: an exception replaces the default for everybody.
 */
export function limitsOn<L extends Limit>(
  limits: readonly L[],
  start: StartNames,
  { day, currency }: { readonly day: CalendarDay; readonly currency: string },
): L[] {
  const chosen = new Map<string, L>()
  for (const limit of limits) {
    if (limit.currency !== currency || !isInForce(limit, day) || !concerns(limit, start)) continue
    const key = `${limit.period} ${limit.subject}`
    const known = chosen.get(key)
    if (!known || exactness(limit) > exactness(known)) chosen.set(key, limit)
  }
  return [...chosen.values()].sort(
    (one, other) =>
      PERIOD_ORDER.indexOf(one.period) - PERIOD_ORDER.indexOf(other.period) ||
      LIMIT_SUBJECTS.indexOf(one.subject) - LIMIT_SUBJECTS.indexOf(other.subject),
  )
}

/** What the `user` of a limit with this subject is. */
export const whoLabel = (subject: LimitSubject): string => SUBJECT_LABELS[isOfPeople(subject) ? subject : 'user']

/** "User anna, project Wing 42"; for a default "Every other user". */
export function subjectText(limit: Pick<Limit, 'subject' | SubjectPart>): string {
  const parts = partsOf(limit.subject).map((part) => {
    const name = limit[part]
    const noun = part === 'user' ? whoLabel(limit.subject).toLowerCase() : part
    if (name === null) return `every other ${noun}`
    return part === 'project' && name === '' ? 'no project' : `${noun} ${name}`
  })
  const text = parts.join(', ') || 'account'
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "User anna: 100.00 AEU per month" */
export function limitText(limit: Limit): string {
  const at = limit.refuseAt ?? limit.warnAt ?? '0'
  const amount = `${formatDecimal(at, 2)} ${limit.currency} ${PERIOD_LABELS[limit.period]}`
  return `${subjectText(limit)}: ${amount}${limit.refuseAt === null ? ', warning only' : ''}`
}

/** The subject of a limit with the names of a start in place of "everybody else". */
export const namedSubject = (
  limit: Pick<Limit, 'subject'>,
  start: StartNames,
): Pick<Limit, 'subject' | SubjectPart> => ({
  subject: limit.subject,
  ...(Object.fromEntries(
    SUBJECT_PARTS.map((part) => [
      part,
      partsOf(limit.subject).includes(part) ? (part === 'user' ? whoOf(limit.subject, start) : start[part]) : null,
    ]),
  ) as LimitNames),
})
