import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { eventLabel } from '#domain/webhooks/event-types.ts'
import { countText, timeText } from '#web/lib/format.ts'
import type { WebhookRow } from '#web/modules/webhooks/webhooks.api.ts'
import type { Column } from '#web/table/columns/column.ts'
import { textColumn, timeColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import classes from './webhooks.module.css'

function stateOf({ isOn, failingSince, offReason }: WebhookRow): { text: string; signal: string } {
  if (!isOn) return { text: `Off. ${offReason}`, signal: 'gray' }
  return failingSince
    ? { text: `Failing since ${timeText(failingSince)}`, signal: 'red' }
    : { text: 'On', signal: 'green' }
}

function State({ text, signal }: { text: string; signal: string }) {
  return (
    <span className={classes.state} data-signal={signal}>
      {text}
    </span>
  )
}

export const WEBHOOK_COLUMNS: readonly Column<WebhookRow>[] = [
  textColumn('url', 'URL', 280, { flexible: { min: 200 }, phone: 'first line' }),
  textColumn('description', 'Description', 180),
  {
    id: 'state',
    header: 'State',
    width: 190,
    isSortable: false,
    phone: 'second line',
    text: (row) => stateOf(row).text,
    cell: (row) => <State {...stateOf(row)} />,
  },
  {
    id: 'events',
    header: 'Events',
    width: 220,
    isSortable: false,
    text: ({ events }) => events.map(eventLabel).join(', '),
  },
  timeColumn('createdAt', 'Created', 160, { isHidden: true }),
  textColumn('createdBy', 'Created by', 230, { isHidden: true }),
]

const STATES: Readonly<Record<string, { text: string; signal: string }>> = {
  queued: { text: 'Waiting', signal: 'orange' },
  delivered: { text: 'Delivered', signal: 'green' },
  failed: { text: 'Failed', signal: 'red' },
  held: { text: 'Not sent', signal: 'gray' },
}

const deliveryState = ({ state }: Delivery) => STATES[state] ?? { text: state, signal: 'gray' }

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  timeColumn('time', 'Time', 160, { phone: 'second line' }),
  valuesColumn('event', 'Event', 190, { text: ({ event }) => eventLabel(event), phone: 'first line' }),
  {
    id: 'state',
    header: 'State',
    width: 96,
    phone: 'second line',
    text: (row) => deliveryState(row).text,
    cell: (row) => <State {...deliveryState(row)} />,
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
