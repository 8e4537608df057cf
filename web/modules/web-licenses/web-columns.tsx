import type {
  WebEntitlement,
  WebGroup,
  WebGroupAssignment,
  WebMember,
  WebSeat,
  WebUser,
} from '#contract/web-licenses/web-lists.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { EXPIRED, NOT_STARTED, remainingDays } from '#domain/entitlements/term.ts'
import { MANAGED_MEMBER, MANAGED_PERSON } from '#domain/provisioning/managed.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { countText, timeText } from '#web/lib/format.ts'
import { entitlementCell, entitlementColumn } from '#web/parts/entitlement/entitlement-cell.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, dayColumn, textColumn, timeColumn } from '#web/table/columns/column-kinds.ts'
import { ManagedMark } from '#web/ui/managed-mark.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './web-licenses.module.css'

const models = { kind: 'text', hasValues: Object.values(WEB_LICENSE_MODELS) } as const

/** In pixels. */
const NAME_WIDTH = 260

/** The name in a row may be that of its user. */
const productCell = ({ product, activationId }: Pick<WebSeat, 'product' | 'activationId'>) =>
  entitlementCell({ product, activationId })

/** Whether an entitlement can be used today. */
export function statusText({ startDate, endDate }: WebEntitlement, today: CalendarDay): string {
  const remaining = remainingDays({ startDate, endDate }, today)
  return remaining === EXPIRED || remaining === NOT_STARTED ? remaining : 'Active'
}

/** Narrow enough for a laptop: the entitlement column gets the remaining room. */
export function entitlementColumns(today: CalendarDay): readonly Column<WebEntitlement>[] {
  return [
    entitlementColumn({ id: 'product', field: 'entitlement', width: 270, flexible: { min: NAME_WIDTH } }, (row) => row),
    textColumn('licenseModel', 'License Model', 106, { filter: models, phone: 'second line' }),
    countColumn('quantity', 'Seats', 80, { isHidden: true }),
    {
      id: 'seats',
      header: 'In use',
      width: 130,
      isSortable: false,
      phone: 'second line',
      text: seatText,
      cell: (row) => <SeatMeter row={row} />,
    },
    countColumn('assigned', 'Users', 66),
    countColumn('groups', 'Groups', 70),
    countColumn('running', 'In Use', 82, { isHidden: true }),
    dayColumn('startDate', 'Start Date', 108, { isHidden: true }),
    dayColumn('endDate', 'Expiration Date', 124, { text: (row) => row.endDate ?? 'Permanent' }),
    { id: 'status', header: 'Status', width: 80, isSortable: false, text: (row) => statusText(row, today) },
  ]
}

/**
 * Columns for all seats, or for the panel of an entitlement or a user, which leaves out the column of its own subject.
 */
export function seatColumns(of: 'all' | 'entitlement' | 'user'): readonly Column<WebSeat>[] {
  const isOfUser = of === 'user'
  const user: readonly Column<WebSeat>[] = [
    textColumn('name', 'Name', 130, { phone: 'second line' }),
    textColumn('email', 'User', 220, { flexible: { min: 212 }, phone: 'first line' }),
  ]
  const entitlement: readonly Column<WebSeat>[] = [
    textColumn('product', 'Entitlement', NAME_WIDTH, {
      field: 'entitlement',
      ...(isOfUser ? { flexible: { min: NAME_WIDTH } } : {}),
      phone: isOfUser ? 'first line' : 'second line',
      cell: productCell,
    }),
    textColumn('licenseModel', 'License Model', 122, { filter: models, isHidden: !isOfUser }),
  ]
  return [
    ...(isOfUser ? [] : user),
    ...(of === 'entitlement' ? [] : entitlement),
    textColumn('assignment', 'Assigned', of === 'entitlement' ? 250 : 168, {
      phone: of === 'all' ? 'third line' : 'second line',
      // Rows of the panel of an entitlement have one line.
      ...(of === 'entitlement' ? {} : { cell: (row) => <span className={classes.assignment}>{row.assignment}</span> }),
    }),
    timeColumn('since', 'Since', 155, { isHidden: true }),
    countColumn('running', 'In Use', 76),
  ]
}

export const USER_COLUMNS: readonly Column<WebUser>[] = [
  textColumn('name', 'Name', 134, { isSticky: true, phone: 'second line' }),
  textColumn('email', 'User', 260, {
    flexible: { min: 210 },
    phone: 'first line',
    cell: ({ email, isManaged }) => (
      <>
        {email}
        {isManaged && <ManagedMark reason={MANAGED_PERSON} />}
      </>
    ),
  }),
  textColumn('groups', 'Groups', 140, { phone: 'second line' }),
  countColumn('entitlements', 'Entitlements', 104),
  countColumn('running', 'In Use', 76, { isHidden: true }),
  timeColumn('lastCheckout', 'Last Checkout', 152),
]

export const GROUP_COLUMNS: readonly Column<WebGroup>[] = [
  textColumn('name', 'Group', 280, { flexible: { min: 220 }, phone: 'first line' }),
  countColumn('members', 'Members', 100, { phone: 'second line' }),
  countColumn('entitlements', 'Entitlements', 112, { phone: 'second line' }),
  timeColumn('createdAt', 'Created', 155),
]

/** In the panel of a group. */
export const MEMBER_COLUMNS: readonly Column<WebMember>[] = [
  textColumn('name', 'Name', 200, { phone: 'second line' }),
  textColumn('email', 'User', 260, {
    flexible: { min: 200 },
    phone: 'first line',
    cell: ({ email, isManaged }) => (
      <>
        {email}
        {isManaged && <ManagedMark reason={MANAGED_MEMBER} />}
      </>
    ),
  }),
]

const SINCE: Column<WebGroupAssignment> = {
  id: 'since',
  header: 'Since',
  width: 172,
  kind: 'time',
  phone: 'second line',
  text: (row) => timeText(row.since),
}

/** In the panel of an entitlement or of a group: the other of the two. */
export function groupAssignmentColumns(of: 'entitlement' | 'group'): readonly Column<WebGroupAssignment>[] {
  const flexible = { min: 200 }
  if (of === 'entitlement')
    return [
      textColumn('group', 'Group', 240, { flexible, phone: 'first line' }),
      countColumn('members', 'Members', 100),
      SINCE,
    ]
  return [
    {
      id: 'product',
      header: 'Entitlement',
      width: 260,
      flexible,
      phone: 'first line',
      text: (row) => `${row.product} ${row.activationId}`,
      cell: productCell,
    },
    { id: 'licenseModel', header: 'License Model', width: 122, text: (row) => row.licenseModel },
    SINCE,
  ]
}

type Seats = Pick<WebEntitlement, 'licenseModel' | 'quantity' | 'assigned' | 'running'>

/** What the quantity limits: assigned users of a Named User entitlement, running checkouts of a Shared Web one. */
const takenOf = ({ licenseModel, assigned, running }: Seats) => (licenseModel === 'Named User' ? assigned : running)

/** How much of the quantity is taken, in words. */
function seatText(row: Seats): string {
  const taken = takenOf(row)
  const of = `${countText(taken)} of ${countText(row.quantity)}`
  return `${of} ${row.licenseModel === 'Named User' ? 'assigned' : 'in use'}`
}

/** How much of the quantity is taken, above a bar that can be compared with those of other rows. A full Named User entitlement is normal, a full Shared Web one denies checkouts. */
function SeatMeter({ row }: { row: Seats }) {
  const percent = row.quantity === 0 ? 0 : Math.min(100, Math.round((takenOf(row) / row.quantity) * 100))
  return (
    <ProgressBar isStacked percent={percent} color={percent >= 100 ? 'red' : percent >= 80 ? 'orange' : 'green'}>
      {seatText(row)}
    </ProgressBar>
  )
}
