import { Button, Group, Text } from '@mantine/core'
import { durationLabel } from '#domain/fsa/duration.ts'
import { countOf, type OrderLine } from '#domain/fsa/order-line.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { countText } from '#web/lib/format.ts'
import type { Order } from '#web/modules/fsa/use-order.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './order.module.css'

type Props = { conflict: NonNullable<Order['conflict']>; onSaveAsNew(): void }

/** Somebody else has changed the draft first: both versions side by side, and what can be done about it. */
export function DraftConflict({ conflict, onSaveAsNew }: Props) {
  const { savedBy, theirs, yours, takeTheirs, keepMine } = conflict
  return (
    <SignalStrip signal="orange" role="alert">
      <Text mb="0.5rem">
        This draft was changed by {savedBy} in the meantime. Nothing was saved or ordered. Your lines are still here.
        Choose which version to keep.
      </Text>
      <div className={classes.versions}>
        <Version title={`Saved by ${savedBy}`} lines={theirs} />
        <Version title="Yours" lines={yours} />
      </div>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={takeTheirs}>
          Use theirs
        </Button>
        <Button size="xs" variant="default" onClick={keepMine}>
          Keep mine
        </Button>
        <Button size="xs" variant="default" onClick={onSaveAsNew}>
          Save mine as a new draft
        </Button>
      </Group>
    </SignalStrip>
  )
}

function Version({ title, lines }: { title: string; lines: readonly OrderLine[] }) {
  return (
    <div className={classes.version}>
      <table className="plain-table" aria-label={title}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th>Product</th>
            <th>Duration</th>
            <th className="right">Count</th>
            <th className="right">Cost</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index}>
              <td>{line.productName}</td>
              <td>{durationText(line)}</td>
              <td className="right">{countText(countOf(line))}</td>
              <td className="right">{line.cost === null ? '' : `${formatDecimal(line.cost, 2)} ${line.currency}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function durationText({ duration, isManual, endDate }: OrderLine): string {
  if (isManual) return 'Manual entry'
  return duration === null ? `Until ${endDate}` : durationLabel(duration)
}
