import { categoryRange, notExpiredFilter, resolvedFilter } from '#contract/messages/alert-list.ts'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { ALERT_CATEGORIES, type AlertCategory, severityOf } from '#domain/messages/alerts.ts'
import type { ColumnFilters } from '#web/table/filters/column-filter.ts'
import type { FilterElement } from '#web/table/filters/filter-criteria.ts'

export const STATUS_CHOICES = ['Active', 'Not expired', 'Resolved'] as const
export type StatusChoice = (typeof STATUS_CHOICES)[number]

/** What the controls above the list of alerts are set to. */
export type AlertChoice = {
  readonly least: AlertCategory
  readonly most: AlertCategory
  readonly status: StatusChoice | undefined
  readonly service: string | undefined
  /** Days of the reader, both included. */
  readonly from: CalendarDay | undefined
  readonly to: CalendarDay | undefined
}

const LEAST = ALERT_CATEGORIES[0]
const MOST = ALERT_CATEGORIES[ALERT_CATEGORIES.length - 1] ?? LEAST

/** Kept among the filters of the table, so that Clear Filters, Reset View and saved views know of it. */
export function readAlertChoice(filters: ColumnFilters): AlertChoice {
  const categories = ALERT_CATEGORIES.filter((category) => valuesOf(filters, 'category').includes(category))
  const [status] = valuesOf(filters, 'status')
  const [service] = valuesOf(filters, 'service')
  const date = filters.date?.filterType === 'date' && filters.date.type === 'inRange' ? filters.date : undefined
  return {
    least: categories[0] ?? LEAST,
    most: categories.at(-1) ?? MOST,
    status: STATUS_CHOICES.find((choice) => choice === status),
    service: service ?? undefined,
    from: date?.dateFrom ? dayOf(date.dateFrom) : undefined,
    to: date?.dateTo ? dayOf(date.dateTo) : undefined,
  }
}

/** Nothing for what lets everything through. */
export function filtersOfChoice({ least, most, status, service, from, to }: AlertChoice): ColumnFilters {
  const categories = ALERT_CATEGORIES.slice(severityOf(least), severityOf(most) + 1)
  return {
    ...(categories.length < ALERT_CATEGORIES.length ? { category: { filterType: 'set', values: categories } } : {}),
    ...(status ? { status: { filterType: 'set', values: [status] } } : {}),
    ...(service ? { service: { filterType: 'set', values: [service] } } : {}),
    ...(from || to
      ? {
          date: {
            filterType: 'date',
            type: 'inRange',
            dateFrom: from ? firstInstant(from).toISOString() : null,
            dateTo: to ? lastInstant(to).toISOString() : null,
          },
        }
      : {}),
  }
}

/** What the choice asks of an alert, in the filter language of every list. */
export function alertDemands({ least, most, status, service, from, to }: AlertChoice, now: Date): FilterElement[] {
  const isEveryCategory = least === LEAST && most === MOST
  return [
    ...(isEveryCategory ? [] : [categoryRange(least, most)]),
    ...(status ? [STATUS_DEMANDS[status](now)] : []),
    ...(service ? [{ name: 'service', method: 'ARRAY_CONTAINS', value: service } as const] : []),
    ...(from ? [{ name: 'date', method: '>=', value: firstInstant(from).toISOString() } as const] : []),
    ...(to ? [{ name: 'date', method: '<=', value: lastInstant(to).toISOString() } as const] : []),
  ]
}

const STATUS_DEMANDS: Record<StatusChoice, (now: Date) => FilterElement> = {
  Active: () => ({ name: 'status', method: 'EQUALS', value: 'ACTIVE' }),
  'Not expired': notExpiredFilter,
  Resolved: resolvedFilter,
}

export const DAY_FORM = 'Enter a date as YYYY-MM-DD.'

/** What is wrong with a typed day; an empty one is none. */
export function dayError(typed: string): string | undefined {
  return typed === '' || isCalendarDay(typed) ? undefined : DAY_FORM
}

function valuesOf(filters: ColumnFilters, id: string): readonly (string | null)[] {
  const filter = filters[id]
  return filter?.filterType === 'set' ? filter.values : []
}

/** Times without a zone are the reader's own. */
const firstInstant = (day: CalendarDay) => new Date(`${day}T00:00:00.000`)
const lastInstant = (day: CalendarDay) => new Date(`${day}T23:59:59.999`)

function dayOf(instant: string): CalendarDay {
  const time = new Date(instant)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
