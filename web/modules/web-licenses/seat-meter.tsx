import type { WebEntitlement } from '#contract/web-licenses/web-lists.ts'
import { countText } from '#web/lib/format.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

type Seats = Pick<WebEntitlement, 'licenseModel' | 'quantity' | 'assigned' | 'running'>

/** What the quantity limits: assigned users of a Named User entitlement, running checkouts of a Shared Web one. */
const takenOf = ({ licenseModel, assigned, running }: Seats) => (licenseModel === 'Named User' ? assigned : running)

/** How much of the quantity is taken, in words. */
export function seatText(row: Seats): string {
  const taken = takenOf(row)
  const of = `${countText(taken)} of ${countText(row.quantity)}`
  return `${of} ${row.licenseModel === 'Named User' ? 'assigned' : 'in use'}`
}

/** How much of the quantity is taken, above a bar that can be compared with those of other rows. A full Named User entitlement is normal, a full Shared Web one denies checkouts. */
export function SeatMeter({ row }: { row: Seats }) {
  const percent = row.quantity === 0 ? 0 : Math.min(100, Math.round((takenOf(row) / row.quantity) * 100))
  return (
    <ProgressBar isStacked percent={percent} color={percent >= 100 ? 'red' : percent >= 80 ? 'orange' : 'green'}>
      {seatText(row)}
    </ProgressBar>
  )
}
