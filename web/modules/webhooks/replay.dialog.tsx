import { Button, Checkbox, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { KEPT_DAYS } from '#domain/webhooks/endpoint.ts'
import { DateTimeField } from '#web/form/date-time-field.tsx'
import { isInstant, TIME_FORM } from '#web/form/typed-instant.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { unsavedText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { serverTime } from '#web/lib/server-time.ts'
import { lookAgain, type WebhookRow } from '#web/modules/webhooks/webhooks.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './webhooks.module.css'

const DAY = 24 * 3_600_000

type Props = { webhook: WebhookRow; onClose(): void }

/** Sends the events of a time again. */
export function ReplayDialog({ webhook, onClose }: Props) {
  const { number: customerNumber } = useKnownCustomer()
  const queries = useQueryClient()
  const [from, setFrom] = useState<string | null>(() => new Date(serverTime().getTime() - DAY).toISOString())
  const [to, setTo] = useState<string | null>(() => serverTime().toISOString())
  const [withDelivered, setWithDelivered] = useState(false)
  const errors = rangeErrors(from, to)
  const sending = useSave({
    send: (range: { from: string; to: string }, key) =>
      call('webhooks/replay', {
        body: { customerNumber, id: webhook.id, ...range, withDelivered },
        idempotencyKey: key,
      }),
    success: ({ events }) => (events === 0 ? 'There are no such events.' : `${countOf(events, 'event')} sent again.`),
    onSaved: () => {
      lookAgain(queries, customerNumber)
      onClose()
    },
    onFailed: () => true,
  })
  return (
    <Dialog title="Send events again" size={520} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (from && to && !errors.from && !errors.to && !sending.isSaving) sending.save({ from, to })
        }}
      >
        <p className={classes.about}>
          Events from this time are sent to <span className={classes.url}>{webhook.url}</span> in their order. Events
          are kept for {KEPT_DAYS} days.
        </p>
        <DateTimeField label="From" value={from} onChange={setFrom} error={errors.from} />
        <DateTimeField label="To" value={to} onChange={setTo} error={errors.to} />
        <Checkbox
          checked={withDelivered}
          onChange={(event) => setWithDelivered(event.currentTarget.checked)}
          label="Include delivered events"
        />
        {sending.error && (
          <SignalStrip signal="red" role="alert">
            {unsavedText(sending.error)}
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending.isSaving} disabled={Boolean(errors.from ?? errors.to)}>
            Send again
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

function rangeErrors(from: string | null, to: string | null): { from?: string; to?: string } {
  if (from === null || !isInstant(from)) return { from: TIME_FORM }
  if (to === null || !isInstant(to)) return { to: TIME_FORM }
  return from > to ? { to: '"From" must be before "To".' } : {}
}
