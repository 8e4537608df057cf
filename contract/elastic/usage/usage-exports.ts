import { Type } from 'typebox'
import { emailRecipients, emailsFiles } from '#contract/elastic/statements/email-files.ts'
import { usageScope } from '#contract/elastic/usage/usage-list.ts'
import { exportBody } from '#contract/kit/list.ts'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { Task } from '#contract/tasks/tasks.ts'
import { download, email, plain } from '#domain/audit/words.ts'
import { addDays, type CalendarDay, dayIn, isOnCalendar } from '#domain/calendar/calendar-day.ts'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'

/** The kinds of the tasks that export usage. The operations of tasks list them, answer their files and delete them. */
export const USAGE_EXPORT = 'usage-export'
export const USAGE_REPORT = 'usage-report'
export const USAGE_FORMATS = ['csv', 'pdf'] as const
export type UsageFormat = (typeof USAGE_FORMATS)[number]

/** Beyond 30,000 transactions: FAILURE as JSON, and the background export serves. */
export const getUsagePdf = operation({
  name: 'fetchUsage/pdf',
  summary: 'A PDF file for finance: sums of the transactions that match by product and by user, and the first of them',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'usage',
  writes: false,
  audit: download('the usage report'),
  refusals: ['TOO_MANY_ROWS'],
  bodyLimit: LIST_BODY_LIMIT,
  body: exportBody(usageScope),
  data: Type.Unknown(),
  media: 'application/pdf',
})

export const emailUsageFiles = operation({
  ...emailsFiles,
  name: 'fetchUsage/email',
  audit: email('usage transactions'),
  token: 'usage',
  summary: 'Mail the transactions that match as PDF and CSV files, at most 30,000 of them',
  refusals: ['NOTHING_TO_DO', 'TOO_MANY_EMAILS', 'TOO_MANY_ROWS'],
  body: exportBody({ ...usageScope, ...emailRecipients }),
})

export const startUsageExport = operation({
  name: 'fetchUsage/exports/start',
  summary:
    'Begin a background export of everything that matches, or answer the same export if the caller has it already: waiting, running, or ready with no usage received since',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'usage',
  writes: true,
  audit: plain('Started an export of usage transactions', 'export usage'),
  refusals: ['EXPORT_SPACE_USED', 'NO_DISK_SPACE', 'TOO_MANY_EXPORTS'],
  bodyLimit: LIST_BODY_LIMIT,
  body: exportBody({
    ...usageScope,
    format: Type.Optional(
      Type.Unsafe<UsageFormat>(
        Type.String({ enum: [...USAGE_FORMATS], description: 'csv (the default), or the PDF file for finance' }),
      ),
    ),
  }),
  data: Task,
  extraFields: { reused: Type.Boolean({ description: 'The export was there already; nothing was begun' }) },
})

/** Transactions that ended in a period, as statements count them: the months of a year add up to the year. */
export function endedIn(days: DayRange, timeZone: string): CriterionInput {
  const { from, to } = instantsOf(days, timeZone)
  return { name: 'EndTime_ts', method: 'DATERANGE', value: [from.toISOString(), to.toISOString()] }
}
export const ENDED_IN_PERIOD = 'Ended in the period'

type ExportedDays = { from?: CalendarDay; to?: CalendarDay; isEnded?: true }
type Criteria = FilterInput['criteria']

/** The date range of the screen as far as the filter has one, in days of the account, and what else the filter asks. */
export function exportedDays(filter: FilterInput | undefined, timeZone: string): ExportedDays & { others: Criteria } {
  const found: ExportedDays & { others: Criteria } = { others: [] }
  for (const criterion of filter?.criteria ?? []) {
    const days = filter?.condition === 'ALL' ? daysOf(criterion, timeZone) : undefined
    if (days) Object.assign(found, days)
    else found.others.push(criterion)
  }
  return found
}

function daysOf(criterion: Criteria[number], timeZone: string): ExportedDays | undefined {
  if (!('name' in criterion) || criterion.not) return undefined
  const { name, method, value } = criterion
  const [from, to] = [value].flat().map((instant) => {
    const time = typeof instant === 'string' ? Date.parse(instant) : Number.NaN
    return isOnCalendar(time) ? dayIn(timeZone, new Date(time)) : undefined
  })
  if (from === undefined) return undefined
  if (name === 'EndTime_ts' && method === 'DATERANGE') return to === undefined ? undefined : { from, to, isEnded: true }
  if (name === 'EndTime_ts' && method === 'AFTER') return { from }
  return name === 'StartTime_ts' && method === 'BEFORE' ? { to: from } : undefined
}

/** `usage-transactions_100001_2026-10-01_2026-10-31`, without the ending; the days are days of the account. */
export function exportFileName(customerNumber: string, filter: FilterInput | undefined, timeZone: string): string {
  const { from = 'start', to = 'today' } = exportedDays(filter, timeZone)
  return `usage-transactions_${customerNumber}_${from}_${to}`
}

/** Whole months are named by the month: `2026-10`. */
function periodText(from: CalendarDay | undefined, to: CalendarDay | undefined): string {
  const month = from?.slice(0, 7)
  const isMonth =
    month !== undefined && from === `${month}-01` && to?.startsWith(month) && addDays(to, 1).endsWith('-01')
  return isMonth ? month : `${from ?? 'start'}_${to ?? 'today'}`
}

/** The project that a filter asks for; undefined if it asks for all, or for several. */
function projectOf(criteria: Criteria): string | undefined {
  const values = criteria.flatMap((one) => ('name' in one && one.name === 'Project' && !one.not ? [one.value] : []))
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined
}

const MAX_PROJECT = 60
/** What every file system takes, so that the name is the same everywhere. */
const fileText = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_PROJECT)

/** The files of a report for finance: `usage_100001_Wing-42_2026-10`, without the ending. */
export function financeFileName(customerNumber: string, filter: FilterInput | undefined, timeZone: string): string {
  const { from, to, others } = exportedDays(filter, timeZone)
  const project = filter?.condition === 'ALL' ? projectOf(others) : undefined
  const named = project === undefined ? 'all-projects' : fileText(project) || 'project'
  return `usage_${customerNumber}_${named}_${periodText(from, to)}`
}
