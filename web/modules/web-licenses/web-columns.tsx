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
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { countText, timeText } from '#web/lib/format.ts'
import { SeatMeter, seatText } from '#web/modules/web-licenses/seat-meter.tsx'
import { CONTAINS_OR_EQUALS, type Column } from '#web/table/columns/column.ts'
import { EntitlementCell } from '#web/ui/entitlement/entitlement-cell.tsx'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const
const number = { kind: 'number' } as const
const day = { kind: 'day' } as const
const time = { kind: 'time' } as const
const models = { ...text, hasValues: Object.values(WEB_LICENSE_MODELS) } as const

/** Whether an entitlement can be used today. */
export function statusText({ startDate, endDate }: WebEntitlement, today: CalendarDay): string {
  const remaining = remainingDays({ startDate, endDate }, today)
  return remaining === EXPIRED || remaining === NOT_STARTED ? remaining : 'Active'
}

export function entitlementColumns(today: CalendarDay): readonly Column<WebEntitlement>[] {
  return [
    {
      id: 'product',
      field: 'entitlement',
      header: 'Entitlement',
      width: 270,
      flexible: { min: 230, max: 480 },
      filter: text,
      isSticky: true,
      phone: 'first line',
      text: (row) => `${row.product} ${row.activationId}`,
      cell: (row) => <EntitlementCell product={row.product} activationId={row.activationId} />,
    },
    {
      id: 'licenseModel',
      header: 'License Model',
      width: 122,
      filter: models,
      phone: 'second line',
      text: (row) => row.licenseModel,
    },
    {
      id: 'quantity',
      isHidden: true,
      header: 'Seats',
      width: 80,
      kind: 'number',
      filter: number,
      text: (row) => countText(row.quantity),
    },
    {
      id: 'seats',
      header: 'Taken',
      width: 186,
      isSortable: false,
      phone: 'second line',
      text: seatText,
      cell: (row) => <SeatMeter row={row} />,
    },
    {
      id: 'assigned',
      header: 'Users',
      width: 80,
      kind: 'number',
      filter: number,
      text: (row) => countText(row.assigned),
    },
    { id: 'groups', header: 'Groups', width: 86, kind: 'number', filter: number, text: (row) => countText(row.groups) },
    {
      id: 'running',
      isHidden: true,
      header: 'In Use',
      width: 82,
      kind: 'number',
      filter: number,
      text: (row) => countText(row.running),
    },
    {
      id: 'startDate',
      isHidden: true,
      header: 'Start Date',
      width: 108,
      kind: 'date',
      filter: day,
      text: (row) => row.startDate,
    },
    {
      id: 'endDate',
      header: 'Expiration Date',
      width: 132,
      kind: 'date',
      filter: day,
      text: (row) => row.endDate ?? 'Permanent',
    },
    { id: 'status', header: 'Status', width: 116, isSortable: false, text: (row) => statusText(row, today) },
  ]
}

/** Of one entitlement, or of all with a column that names it. */
export function seatColumns(isOfOne: boolean): readonly Column<WebSeat>[] {
  const product: Column<WebSeat> = {
    id: 'product',
    field: 'entitlement',
    header: 'Entitlement',
    width: 240,
    filter: text,
    phone: 'second line',
    text: (row) => `${row.product} ${row.activationId}`,
    cell: (row) => <EntitlementCell product={row.product} activationId={row.activationId} />,
  }
  const model: Column<WebSeat> = {
    id: 'licenseModel',
    isHidden: true,
    header: 'License Model',
    width: 122,
    filter: models,
    text: (row) => row.licenseModel,
  }
  return [
    { id: 'name', header: 'Name', width: 150, filter: text, phone: 'second line', text: (row) => row.name },
    {
      id: 'email',
      header: 'User',
      width: 260,
      flexible: { min: 240, max: 400 },
      filter: text,
      phone: 'first line',
      text: (row) => row.email,
    },
    ...(isOfOne ? [] : [product, model]),
    { id: 'assignment', header: 'Assigned', width: 210, filter: text, text: (row) => row.assignment },
    {
      id: 'since',
      isHidden: true,
      header: 'Since',
      width: 172,
      kind: 'date',
      filter: time,
      text: (row) => timeText(row.since),
    },
    {
      id: 'running',
      header: 'In Use',
      width: 82,
      kind: 'number',
      filter: number,
      text: (row) => countText(row.running),
    },
  ]
}

export const USER_COLUMNS: readonly Column<WebUser>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 170,
    filter: text,
    isSticky: true,
    phone: 'second line',
    text: (row) => row.name,
  },
  {
    id: 'email',
    header: 'User',
    width: 270,
    flexible: { min: 240, max: 420 },
    filter: text,
    phone: 'first line',
    text: (row) => row.email,
  },
  { id: 'groups', header: 'Groups', width: 190, filter: text, phone: 'second line', text: (row) => row.groups },
  {
    id: 'entitlements',
    header: 'Entitlements',
    width: 112,
    kind: 'number',
    filter: number,
    text: (row) => countText(row.entitlements),
  },
  {
    id: 'running',
    isHidden: true,
    header: 'In Use',
    width: 82,
    kind: 'number',
    filter: number,
    text: (row) => countText(row.running),
  },
  {
    id: 'lastCheckout',
    header: 'Last Checkout',
    width: 172,
    kind: 'date',
    filter: time,
    text: (row) => timeText(row.lastCheckout),
  },
]

export const GROUP_COLUMNS: readonly Column<WebGroup>[] = [
  {
    id: 'name',
    header: 'Group',
    width: 280,
    flexible: { min: 220, max: 520 },
    filter: text,
    phone: 'first line',
    text: (row) => row.name,
  },
  {
    id: 'members',
    header: 'Members',
    width: 100,
    kind: 'number',
    filter: number,
    phone: 'second line',
    text: (row) => countText(row.members),
  },
  {
    id: 'entitlements',
    header: 'Entitlements',
    width: 112,
    kind: 'number',
    filter: number,
    phone: 'second line',
    text: (row) => countText(row.entitlements),
  },
  {
    id: 'createdAt',
    header: 'Created',
    width: 172,
    kind: 'date',
    filter: time,
    text: (row) => timeText(row.createdAt),
  },
]

/** In the panel of a group. */
export const MEMBER_COLUMNS: readonly Column<WebMember>[] = [
  { id: 'name', header: 'Name', width: 200, filter: text, phone: 'second line', text: (row) => row.name },
  {
    id: 'email',
    header: 'User',
    width: 260,
    flexible: { min: 200, max: 480 },
    filter: text,
    phone: 'first line',
    text: (row) => row.email,
  },
]

/** In the panel of an entitlement or of a group: the other of the two. */
export function groupAssignmentColumns(of: 'entitlement' | 'group'): readonly Column<WebGroupAssignment>[] {
  const since: Column<WebGroupAssignment> = {
    id: 'since',
    header: 'Since',
    width: 172,
    kind: 'date',
    phone: 'second line',
    text: (row) => timeText(row.since),
  }
  const flexible = { min: 200, max: 480 }
  if (of === 'entitlement')
    return [
      { id: 'group', header: 'Group', width: 240, flexible, phone: 'first line', text: (row) => row.group },
      { id: 'members', header: 'Members', width: 100, kind: 'number', text: (row) => countText(row.members) },
      since,
    ]
  return [
    {
      id: 'product',
      header: 'Entitlement',
      width: 260,
      flexible,
      phone: 'first line',
      text: (row) => `${row.product} ${row.activationId}`,
      cell: (row) => <EntitlementCell product={row.product} activationId={row.activationId} />,
    },
    { id: 'licenseModel', header: 'License Model', width: 122, text: (row) => row.licenseModel },
    since,
  ]
}
