import { VisuallyHidden } from '@mantine/core'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { eventLabel } from '#domain/webhooks/event-types.ts'
import { countText, timeText } from '#web/lib/format.ts'
import type { WebhookRow } from '#web/modules/webhooks/webhooks.api.ts'
import type { Column } from '#web/table/columns/column.ts'
import { textColumn, timeColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { FirstOf } from '#web/ui/first-of.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import type { Signal } from '#web/ui/theme/tokens.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'

type State = { readonly text: string; readonly signal: Signal | 'none'; readonly more?: string }

function stateOf({ isOn, failingSince, offReason }: WebhookRow): State {
  if (!isOn) return { text: 'Off', signal: 'none', ...(offReason && { more: offReason }) }
  return failingSince
    ? { text: `Failing since ${timeText(failingSince)}`, signal: 'red' }
    : { text: 'On', signal: 'green' }
}

/** Why it is so is in the tooltip, and in the text for screen readers. */
function StateCell({ text, signal, more }: State) {
  const state = <SignalDot signal={signal}>{text}</SignalDot>
  if (!more) return state
  return (
    <Tooltip label={more}>
      <span>
        {state}
        <VisuallyHidden>. {more}</VisuallyHidden>
      </span>
    </Tooltip>
  )
}

export const WEBHOOK_COLUMNS: readonly Column<WebhookRow>[] = [
  textColumn('url', 'URL', 280, { flexible: { min: 200 }, phone: 'first line' }),
  textColumn('description', 'Description', 220),
  {
    id: 'state',
    header: 'State',
    width: 170,
    isSortable: false,
    phone: 'second line',
    text(row) {
      const { text, more } = stateOf(row)
      return more ? `${text}. ${more}` : text
    },
    cell: (row) => <StateCell {...stateOf(row)} />,
  },
  {
    id: 'events',
    header: 'Events',
    width: 220,
    isSortable: false,
    text: ({ events }) => events.map(eventLabel).join(', '),
    cell: ({ events }) => <FirstOf items={events.map(eventLabel)} />,
  },
  timeColumn('createdAt', 'Created', 160, { isHidden: true }),
  textColumn('createdBy', 'Created by', 230, { isHidden: true }),
]

const STATES: Readonly<Record<string, State>> = {
  queued: { text: 'Waiting', signal: 'orange' },
  delivered: { text: 'Delivered', signal: 'green' },
  failed: { text: 'Failed', signal: 'red' },
  held: { text: 'Not sent', signal: 'none' },
}

const deliveryState = ({ state }: Delivery): State => STATES[state] ?? { text: state, signal: 'none' }

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  timeColumn('time', 'Time', 160, { phone: 'second line' }),
  valuesColumn('event', 'Event', 190, { text: ({ event }) => eventLabel(event), phone: 'first line' }),
  {
    id: 'state',
    header: 'State',
    width: 116,
    phone: 'second line',
    text: (row) => deliveryState(row).text,
    cell: (row) => <StateCell {...deliveryState(row)} />,
  },
  {
    id: 'status',
    header: 'Answer',
    width: 76,
    kind: 'number',
    text: ({ status }) => (status === null ? '' : String(status)),
  },
  {
    id: 'milliseconds',
    header: 'Took',
    width: 84,
    kind: 'number',
    text: ({ milliseconds }) => (milliseconds === null ? '' : `${countText(milliseconds)} ms`),
  },
  textColumn('trouble', 'Reason', 200, { flexible: { min: 150 } }),
  textColumn('url', 'URL', 240, { isHidden: true }),
  {
    id: 'attempts',
    header: 'Attempts',
    width: 90,
    kind: 'number',
    isHidden: true,
    text: ({ attempts }) => String(attempts),
  },
  timeColumn('nextAttemptAt', 'Next attempt', 160, { isHidden: true }),
]
