import { MAINTENANCE_EXPIRED } from '#domain/activations/seats/expired-maintenance.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

/** Why a confirmation cannot be given yet. */
export const UNTICK_EXPIRED = 'Untick the products whose maintenance has expired.'
export const TICK_ONE = 'Tick at least one product.'

type Obstacle = Pick<SeatChange, 'customerNumber' | 'activationid' | 'ansysproduct'>

/** Names the products whose maintenance has expired, and which must be unticked; nothing if there are none. */
export function MaintenanceObstacles({ obstacles }: { obstacles: readonly Obstacle[] }) {
  if (obstacles.length === 0) return null
  // A rehost has two rows of one product.
  const products = new Map(obstacles.map((one) => [`${one.customerNumber} ${one.activationid}`, one]))
  return (
    <SignalStrip signal="red" role="alert">
      {MAINTENANCE_EXPIRED}
      <ul className={classes.obstacles}>
        {[...products].map(([key, { ansysproduct, activationid }]) => (
          <li key={key}>
            {ansysproduct} ({activationid})
          </li>
        ))}
      </ul>
    </SignalStrip>
  )
}
