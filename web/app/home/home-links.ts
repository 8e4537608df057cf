import type { HomeMatter } from '#contract/home/account-home.ts'
import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { SESSION_REFUSAL_LABELS, type SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import { MAINTENANCE_ENDED } from '#domain/entitlements/term.ts'
import { DENIAL_DAYS, ENDS_SOON } from '#domain/home/work-list.ts'
import { CHECKOUT_REFUSAL_LABELS, type CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import type { ColumnFilter, ColumnFilters, SetFilter } from '#web/table/filters/column-filter.ts'
import { tableAddress } from '#web/table/view/table-address.ts'

/** Links of the numbers on Home: each screen opens with a filter that shows exactly the counted rows. */
const contains = (filter: string): ColumnFilter => ({ filterType: 'text', type: 'contains', filter })
const equals = (filter: string): ColumnFilter => ({ filterType: 'text', type: 'equals', filter })
const oneOf = (...values: string[]): SetFilter => ({ filterType: 'set', values })

const WEB_MODELS = Object.values(WEB_LICENSE_MODELS)

/** The screens that list endings by kind. One screen lists leases and web licenses. */
const ENDING = {
  leases: { screen: 'ssl', filters: { ansyslicensemodel: { ...oneOf(...WEB_MODELS), type: 'except' } } },
  webLicenses: { screen: 'ssl', filters: { ansyslicensemodel: oneOf(...WEB_MODELS) } },
  elastic: { screen: 'elastic', filters: {} },
  contracts: { screen: 'entitlementsFSA', filters: {} },
} as const satisfies Readonly<Record<string, { screen: string; filters: ColumnFilters }>>
export type EndingKind = keyof typeof ENDING

export const endingScreen = (kind: EndingKind): string => ENDING[kind].screen

function endingAddress(kind: EndingKind, filters: ColumnFilters): string {
  return tableAddress(`/${ENDING[kind].screen}`, {
    prefix: 'active.',
    filters: { ...ENDING[kind].filters, ...filters },
  })
}

export const endingWithin = (kind: EndingKind, days: number) =>
  endingAddress(kind, { remainingdays: contains(`≤ ${days}`) })

export const oneBalance = (screen: 'elastic' | 'entitlementsFSA', id: string, isActive: boolean) =>
  tableAddress(`/${screen}`, {
    prefix: isActive ? 'active.' : 'inactive.',
    filters: { ansysproduct: contains(id) },
  })

/** Both tables, without the filters of saved views. */
export const allElastic = () =>
  tableAddress('/elastic', { prefix: 'active.', filters: {} }, { prefix: 'inactive.', filters: {} })

export const usedUpUnits = () =>
  tableAddress('/elastic', {
    prefix: 'inactive.',
    filters: {
      usedpercentage: { filterType: 'number', type: 'equals', filter: 100 },
      remainingdays: contains('≥ 1'),
    },
  })

const maintenanceEnded = () =>
  tableAddress('/ssl', { prefix: 'active.', filters: { enddate: contains(MAINTENANCE_ENDED) } })

export const runningSessions = () => tableAddress('/transactions', { activeOnly: true })

/** The dialog that makes a PDF and a CSV file of a period. */
export const financeReport = () => '/transactions?report=finance'

/** The order screen with this contract. */
export const orderFrom = (contract: string) => `/entitlementsFSA?${new URLSearchParams({ tab: 'order', contract })}`

export const deniedBetween = (startDate: CalendarDay, endDate: CalendarDay, filters?: ColumnFilters) =>
  tableAddress('/elastic-denials', { startDate, endDate, ...(filters && { filters }) })

export const runningCheckouts = () => tableAddress('/web-transactions', { activeOnly: true })

export const webDeniedBetween = (startDate: CalendarDay, endDate: CalendarDay, filters?: ColumnFilters) =>
  tableAddress('/web-reporting', { startDate, endDate }, ...(filters ? [{ prefix: 'denial.', filters }] : []))

export const seatDenialsBetween = (startDate: CalendarDay, endDate: CalendarDay, filters: ColumnFilters = {}) =>
  tableAddress(
    '/license-use',
    { startDate, endDate },
    { prefix: 'denial.', filters: { meaning: oneOf('Denial (no seat within a minute)'), ...filters } },
  )

/** The denials that a line of the work list counts, or without a subject all of its kind; undefined for other matters. */
export function denialsOf(
  { kind, subject, user }: Pick<HomeMatter, 'kind' | 'subject' | 'user'>,
  today: CalendarDay,
): string | undefined {
  const from = addDays(today, 1 - DENIAL_DAYS)
  const own = (filters: ColumnFilters) => (subject === '' ? {} : filters)
  const starts = (reason: SessionRefusal, filters: ColumnFilters = {}) =>
    deniedBetween(from, today, { ReasonText: oneOf(SESSION_REFUSAL_LABELS[reason]), ...own(filters) })
  const checkouts = (reason: CheckoutRefusal, filters: ColumnFilters = {}) =>
    webDeniedBetween(from, today, {
      reasonText: oneOf(CHECKOUT_REFUSAL_LABELS[reason]),
      ...own({ product: oneOf(subject), ...filters }),
    })
  switch (kind) {
    case 'ADDRESS_DENIED':
      return starts('ADDRESS_NOT_ALLOWED', { REFERER_IP_ADDRESS: oneOf(subject) })
    case 'USER_DENIED':
      return starts('USER_NOT_ALLOWED', { User: oneOf(subject) })
    case 'PRODUCT_DENIED':
      return starts('UNKNOWN_PRODUCT', { Product: oneOf(subject) })
    case 'PIN_DENIED':
    case 'LOCK_ENDED':
      return starts('WRONG_PIN')
    case 'CHECKOUT_DENIED':
      return checkouts('NO_SEAT')
    case 'CHECKOUT_UNASSIGNED':
      return checkouts('USER_NOT_ASSIGNED', { email: equals(user) })
    case 'CHECKOUT_EXPIRED':
      return checkouts('ENTITLEMENT_EXPIRED')
    case 'SEATS_DENIED':
      return seatDenialsBetween(from, today, own({ feature: oneOf(subject) }))
    default:
      return undefined
  }
}

/** The rows that a line of the work list counts; undefined if no screen lists them. */
export function rowsOf(matter: Pick<HomeMatter, 'kind' | 'subject' | 'user'>, today: CalendarDay): string | undefined {
  switch (matter.kind) {
    case 'LEASES_END':
      return endingWithin('leases', ENDS_SOON)
    case 'WEB_LICENSES_END':
      return endingWithin('webLicenses', ENDS_SOON)
    case 'ELASTIC_ENDS':
      return endingWithin('elastic', ENDS_SOON)
    case 'CONTRACTS_END':
      return endingWithin('contracts', ENDS_SOON)
    case 'MAINTENANCE_ENDED':
      return maintenanceEnded()
    case 'FILES_OUT_OF_DATE':
      return outOfDateHosts()
    case 'EMAILS_UNDELIVERED':
      return undeliveredEmails()
    case 'SERVERS_SILENT':
      return '/license-use'
    case 'UNITS_RUN_OUT':
    case 'UNITS_ENDED':
      return '/elastic'
    case 'UNITS_USED_UP':
      return usedUpUnits()
    default:
      return denialsOf(matter, today)
  }
}

const outOfDateHosts = () =>
  tableAddress('/activations-history', { prefix: 'active.', filters: { licenseFile: oneOf('Out of date') } })

const undeliveredEmails = () => tableAddress('/emails', { filters: { delivery: oneOf('failed') } })

export const openAlerts = () => tableAddress('/notifications', { filters: { status: oneOf('Open') } })
