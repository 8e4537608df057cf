import { MAINTENANCE_EXPIRED } from '#domain/activations/expired-maintenance.ts'
import type { SeatChange } from '#domain/activations/seat-changes.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './confirm-changes.module.css'

type Obstacle = Pick<SeatChange, 'kind' | 'customerNumber' | 'activationid' | 'ansysproduct'>

/** Names the products whose maintenance has expired, and which must be unticked; nothing if there are none. */
export function MaintenanceObstacles({ obstacles }: { obstacles: readonly Obstacle[] }) {
  if (obstacles.length === 0) return null
  return (
    <SignalStrip signal="red" role="alert">
      {MAINTENANCE_EXPIRED}
      <ul className={classes.obstacles}>
        {obstacles.map((one) => (
          <li key={`${one.kind} ${one.customerNumber} ${one.activationid}`}>
            {one.ansysproduct} ({one.activationid})
          </li>
        ))}
      </ul>
    </SignalStrip>
  )
}
