import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

export const MAINTENANCE_EXPIRED =
  'The following products can not be activated or deactivated since their maintenance has expired. Please unselect them and try again.'

type Maintained = { readonly isPermanent: boolean; readonly versiondate: CalendarDay | null }

/** Only permanent licenses have separate maintenance; a lease is maintained as long as it runs. The last day counts. */
export function isMaintenanceExpired({ isPermanent, versiondate }: Maintained, today: CalendarDay): boolean {
  return isPermanent && versiondate !== null && versiondate < today
}

/** The rows that cannot be changed; none where the person may override the rule. */
export function heldBackRows<R extends { readonly isMaintenanceExpired: boolean }>(
  rows: readonly R[],
  mayOverride: boolean,
): R[] {
  return mayOverride ? [] : rows.filter((row) => row.isMaintenanceExpired)
}

/** The rows that stop a change: held back, and still ticked. */
export function maintenanceObstacles<R extends { readonly isTicked: boolean; readonly isMaintenanceExpired: boolean }>(
  rows: readonly R[],
  mayOverride: boolean,
): R[] {
  return heldBackRows(rows, mayOverride).filter((row) => row.isTicked)
}
