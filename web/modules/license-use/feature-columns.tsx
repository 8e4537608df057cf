import type { FeatureUse } from '#contract/license-use/license-use.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { amountText, countText } from '#web/lib/format.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, countColumn, textColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'

export const FEATURE_FIELDS = {
  serverName: { type: 'text' },
  serverId: { type: 'text' },
  feature: { type: 'text' },
  seats: { type: 'number' },
  filedSeats: { type: 'number' },
  inUse: { type: 'number' },
  reserved: { type: 'number' },
  queued: { type: 'number' },
  peak: { type: 'number' },
  neverUsed: { type: 'number' },
  hoursAtLimit: { type: 'number' },
  seatHours: { type: 'number' },
  checkouts: { type: 'number' },
  denials: { type: 'number' },
  realDenials: { type: 'number' },
} as const satisfies Fields

const known = (value: number | null) => (value === null ? 'Not known' : countText(value))

export const FEATURE_COLUMNS: readonly Column<FeatureUse>[] = [
  textColumn('feature', 'Feature', 200, { flexible: { min: 120 }, phone: 'first line' }),
  valuesColumn('serverName', 'License Server', 136, {
    phone: 'second line',
    cell: (row) => <HostLink host={row} />,
  }),
  textColumn('serverId', 'Server ID', 140, { isHidden: true }),
  countColumn('seats', 'Seats', 72, { text: (row) => known(row.seats) }),
  countColumn('filedSeats', 'Seats in the Portal', 84, { isHidden: true }),
  countColumn('inUse', 'In Use Now', 72, { text: (row) => known(row.inUse) }),
  countColumn('peak', 'Peak', 72, { phone: 'second line', text: (row) => known(row.peak) }),
  countColumn('neverUsed', 'Never Used', 72, { text: (row) => known(row.neverUsed) }),
  amountColumn('hoursAtLimit', 'Hours at Limit', 84, { text: (row) => amountText(row.hoursAtLimit) }),
  amountColumn('seatHours', 'Seat Hours', 96, { text: (row) => amountText(row.seatHours) }),
  countColumn('checkouts', 'Checkouts', 90, { isHidden: true, text: (row) => countText(row.checkouts) }),
  countColumn('realDenials', 'Real Denials', 112, { phone: 'second line', text: (row) => countText(row.realDenials) }),
  countColumn('denials', 'All Denials', 76, { isHidden: true, text: (row) => countText(row.denials) }),
  countColumn('reserved', 'Reserved', 84, { isHidden: true }),
  countColumn('queued', 'Queued', 76, { isHidden: true }),
]
