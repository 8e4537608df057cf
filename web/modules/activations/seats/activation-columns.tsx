import { type BarColor, daysLeftColor } from '#contract/entitlements/bar-color.ts'
import { quantityError } from '#domain/activations/seats/activated-quantity.ts'
import type { AssignedRow, AvailableRow } from '#domain/activations/seats/activation-lists.ts'
import type { ActivationRow } from '#domain/activations/seats/activation-row.ts'
import { isWithoutSeats } from '#domain/activations/seats/activation-selection.ts'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysLeft } from '#domain/entitlements/term.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { countText } from '#web/lib/format.ts'
import { endDate, isMaintenanceOver } from '#web/parts/entitlement/end-date.tsx'
import { entitlementColumn } from '#web/parts/entitlement/entitlement-cell.tsx'
import { remainingDays, remainingText } from '#web/parts/entitlement/remaining-days.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, dayColumn, textColumn } from '#web/table/columns/column-kinds.ts'

/** Extra fields for filters and sorting. */
type Sortable = {
  /** Product and activation id: a filter finds either. */
  readonly entitlement: string
  /** Null for what is permanent, which ends after everything else. */
  readonly daysLeft: number | null
  readonly remainingdayscolor: BarColor
  readonly borrowable: 'Yes' | 'No'
}
export type AssignedTableRow = AssignedRow & Sortable
export type AvailableTableRow = AvailableRow & Sortable

export const ACTIVATION_FIELDS = {
  entitlement: { type: 'text' },
  activatedOnHost: { type: 'number' },
  AnsysActivated: { type: 'number' },
  startdate: { type: 'day' },
  enddate: { type: 'text' },
  daysLeft: { type: 'number', missingIsFuture: true },
  ansysavailable: { type: 'number' },
  borrowable: { type: 'text' },
} as const satisfies Fields

export const toTableRow =
  (today: CalendarDay) =>
  <R extends ActivationRow>(row: R): R & Sortable => {
    const left = isCalendarDay(row.enddate) ? daysLeft(row.enddate, today) : null
    const entitlement = `${row.ansysproduct} ${row.activationid}`
    const remainingdayscolor = daysLeftColor(left)
    return { ...row, entitlement, daysLeft: left, remainingdayscolor, borrowable: row.ansysborrowable ? 'Yes' : 'No' }
  }

type Row = ActivationRow & Sortable

/** The columns of both tables, narrow enough for 1280 pixels; the one in the middle says how many seats. */
function columnsAround<R extends Row>(today: CalendarDay, activated: Column<R>): readonly Column<R>[] {
  return [
    entitlementColumn(
      { id: 'entitlement', header: 'Product / Entitlement', width: 254, flexible: { min: 236 } },
      (row) => ({ product: row.ansysproduct, activationId: row.activationid, isEvaluation: row.isEval }),
    ),
    activated,
    dayColumn('startdate', 'Start Date', 98),
    dayColumn('enddate', 'Expiration Date', 138, {
      filter: 'text',
      phone: 'second line',
      cell: (row) => endDate(row, today),
    }),
    {
      id: 'remainingdays',
      field: 'daysLeft',
      header: 'Remaining Days',
      width: 110,
      filter: 'number',
      text: remainingText,
      cell: (row) => remainingDays(row, { isMaintenanceOver: isMaintenanceOver(row, today), isStacked: true }),
    },
    countColumn('ansysavailable', 'Available', 78),
    textColumn('borrowable', 'Borrowable', 90, { filter: { kind: 'text', hasValues: ['Yes', 'No'] } }),
  ]
}

export const assignedColumns = (today: CalendarDay): readonly Column<AssignedTableRow>[] =>
  columnsAround(today, {
    id: 'activated',
    field: 'activatedOnHost',
    header: 'Activated',
    width: 82,
    kind: 'number',
    filter: 'number',
    phone: 'first line',
    text: (row) => countText(row.activatedOnHost),
  })

export function availableColumns(
  today: CalendarDay,
  onQuantity: (activationId: string, quantity: number) => void,
): readonly Column<AvailableTableRow>[] {
  return columnsAround(today, {
    id: 'activated',
    field: 'AnsysActivated',
    header: 'Activated',
    width: 88,
    kind: 'number',
    filter: 'number',
    phone: 'first line',
    text: (row) => countText(row.AnsysActivated),
    editor: {
      value: (row) => String(row.AnsysActivated),
      errorOf: (row, value) =>
        isWithoutSeats(row) && value === '0'
          ? undefined
          : quantityError(value === '' ? null : Number(value), row.ansysavailable),
      // Anything but a number counts as 0, which cannot be saved.
      onCommit: (row, value) => onQuantity(row.activationid, Number(value) || 0),
      isDisabled: (row) => !row.selected && !isWithoutSeats(row),
    },
  })
}
