import { Button } from '@mantine/core'
import { MAINTENANCE_EXPIRED } from '#domain/activations/seats/expired-maintenance.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

/** Why a confirmation cannot be given yet. */
export const UNTICK_EXPIRED = 'Untick the products whose maintenance has expired.'
export const TICK_ONE = 'Tick at least one product.'

type Product = Pick<SeatChange, 'customerNumber' | 'activationid' | 'ansysproduct'>
type Leave = { readonly text: string; readonly onClick: () => void }

/** Names the products whose maintenance has expired, and which must be left out; nothing if there are none. */
export function MaintenanceObstacles({ obstacles, leave }: { obstacles: readonly Product[]; leave?: Leave }) {
  if (obstacles.length === 0) return null
  return (
    <SignalStrip signal="red" role="alert">
      {MAINTENANCE_EXPIRED}
      <ProductList products={obstacles} />
      {leave && (
        <Button size="compact-sm" variant="default" mt="0.5rem" onClick={leave.onClick}>
          {leave.text}
        </Button>
      )}
    </SignalStrip>
  )
}

/** Each product once: a rehost has two rows of it. */
export function ProductList({ products }: { products: readonly Product[] }) {
  const named = new Map(products.map((one) => [`${one.customerNumber} ${one.activationid}`, one]))
  return (
    <ul className={classes.obstacles}>
      {[...named].map(([key, { ansysproduct, activationid }]) => (
        <li key={key}>
          {ansysproduct} ({activationid})
        </li>
      ))}
    </ul>
  )
}
