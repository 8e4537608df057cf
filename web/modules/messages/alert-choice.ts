import { categoryFilter, notExpiredFilter, openFilter, resolvedFilter } from '#contract/messages/alert-list.ts'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { ALERT_CATEGORIES, type AlertCategory } from '#domain/messages/alerts.ts'
import type { ColumnFilters } from '#web/table/filters/column-filter.ts'
import type { FilterElement } from '#web/table/filters/filter-criteria.ts'

export const STATUS_CHOICES = ['Open', 'Active', 'Not expired', 'Resolved'] as const
export type StatusChoice = (typeof STATUS_CHOICES)[number]

/** What the controls above the list of alerts are set to. */
export type AlertChoice = {
  /** Ticked categories. None means every category. */
  readonly categories: readonly AlertCategory[]
  readonly status: StatusChoice | undefined
  readonly service: string | undefined
  /** Days of the reader, both included. */
  readonly from: CalendarDay | undefined
  readonly to: CalendarDay | undefined
}

/** Stored in the table's filters, so that Clear Filters, Reset View and saved views include it. */
export function readAlertChoice(filters: ColumnFilters): AlertChoice {
  const categories = ALERT_CATEGORIES.filter((category) => valuesOf(filters, 'category').includes(category))
  const [status] = valuesOf(filters, 'status')
  const [service] = valuesOf(filters, 'service')
  const date = filters.date?.filterType === 'date' && filters.date.type === 'inRange' ? filters.date : undefined
  return {
    categories,
    status: STATUS_CHOICES.find((choice) => choice === status),
    service: service ?? undefined,
    from: date?.dateFrom ? dayOf(date.dateFrom) : undefined,
    to: date?.dateTo ? dayOf(date.dateTo) : undefined,
  }
}

/** A choice that lets everything through is no filter. */
export function filtersOfChoice({ categories, status, service, from, to }: AlertChoice): ColumnFilters {
  return {
    ...(isEvery(categories) ? {} : { category: { filterType: 'set', values: [...categories] } }),
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

/** The choice as criteria of the list protocol. */
export function alertDemands({ categories, status, service, from, to }: AlertChoice, now: Date): FilterElement[] {
  return [
    ...(isEvery(categories) ? [] : [categoryFilter(categories)]),
    ...(status ? [STATUS_DEMANDS[status](now)] : []),
    ...(service ? [{ name: 'service', method: 'ARRAY_CONTAINS', value: service } as const] : []),
    ...(from ? [{ name: 'date', method: '>=', value: firstInstant(from).toISOString() } as const] : []),
    ...(to ? [{ name: 'date', method: '<=', value: lastInstant(to).toISOString() } as const] : []),
  ]
}

const STATUS_DEMANDS: Record<StatusChoice, (now: Date) => FilterElement> = {
  Open: openFilter,
  Active: () => ({ name: 'status', method: 'EQUALS', value: 'ACTIVE' }),
  'Not expired': notExpiredFilter,
  Resolved: resolvedFilter,
}

export const DAY_FORM = 'Enter a date as YYYY-MM-DD.'

/** What is wrong with a typed day. An empty field is no filter. */
export function dayError(typed: string): string | undefined {
  return typed === '' || isCalendarDay(typed) ? undefined : DAY_FORM
}

function isEvery(categories: readonly AlertCategory[]): boolean {
  return categories.length === 0 || categories.length === ALERT_CATEGORIES.length
}

function valuesOf(filters: ColumnFilters, id: string): readonly (string | null)[] {
  const filter = filters[id]
  return filter?.filterType === 'set' ? filter.values : []
}

/** Times without a zone are in the reader's zone. */
const firstInstant = (day: CalendarDay) => new Date(`${day}T00:00:00.000`)
const lastInstant = (day: CalendarDay) => new Date(`${day}T23:59:59.999`)

function dayOf(instant: string): CalendarDay {
  const time = new Date(instant)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
