import { Checkbox, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { eventsError, MAX_DESCRIPTION, ROTATION_HOURS, typedUrlError } from '#domain/webhooks/endpoint.ts'
import { EVENT_TYPES, eventLabel } from '#domain/webhooks/event-types.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { reloadWebhooks, type WebhookRow } from '#web/modules/webhooks/webhooks.api.ts'
import { ShownOnce } from '#web/ui/dialogs/shown-once.dialog.tsx'
import classes from './webhooks.module.css'

type Values = { url: string; description: string; events: readonly string[]; isOn: boolean }
type Saved = Values & { readonly revision: number }

const FIELDS: Fields<Values> = {
  url: { label: 'URL' },
  description: { label: 'Description' },
  events: { label: 'Events', text: (events) => events.map(eventLabel).join('\n') },
  isOn: { label: 'Deliver events', text: (isOn) => (isOn ? 'Yes' : 'No') },
}
const NEW: Saved = { url: '', description: '', events: [], isOn: true, revision: 0 }

/** Undefined for a new one. */
type Props = { webhook: WebhookRow | undefined; onClose(): void }

/** A form, and the secret of the webhook that it added. */
export function WebhookDialog({ webhook, onClose }: Props) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const [added, setAdded] = useState<{ url: string; secret: string }>()
  const onSaved = (url: string, secret: string | undefined) => {
    if (secret === undefined) onClose()
    else setAdded({ url, secret })
    void reloadWebhooks(queries, number)
  }
  if (added) return <SecretDialog {...added} onClose={onClose} />
  return <WebhookForm customerNumber={number} webhook={webhook} onSaved={onSaved} onClose={onClose} />
}

type SecretProps = { url: string; secret: string; isRotated?: boolean; onClose(): void }

export function SecretDialog({ url, secret, isRotated, onClose }: SecretProps) {
  return (
    <ShownOnce title="Signing secret" what="secret" value={secret} onClose={onClose}>
      With it, the endpoint <span className={classes.url}>{url}</span> verifies that events come from this portal, as
      Standard Webhooks describes.
      {isRotated && ` The former secret is also valid for ${ROTATION_HOURS} more hours.`}
    </ShownOnce>
  )
}

type FormProps = Props & { customerNumber: string; onSaved(url: string, secret: string | undefined): void }

function WebhookForm({ customerNumber, webhook, onSaved, onClose }: FormProps) {
  const secret = useRef<string>(undefined)
  const form = useForm<Values, Saved>({
    loaded: webhook ?? NEW,
    valuesOf: ({ url, description, events, isOn }) => ({ url, description, events, isOn }),
    fields: FIELDS,
    validate: ({ url, events }) => ({ url: typedUrlError(url), events: eventsError(events) }),
    save: async (values, { revision }, key) => {
      const { id } = webhook ?? {}
      const body = { customerNumber, ...values, events: [...values.events] }
      const saved = await call('webhooks/save', {
        body: id === undefined ? body : { ...body, id, revision },
        idempotencyKey: key,
      })
      secret.current = saved.secret
      return { ...values, revision: revision + 1 }
    },
    onSaved: ({ url }) => onSaved(url, secret.current),
    success: webhook ? 'The webhook has been saved.' : 'The webhook has been added.',
    refusals: { WEBHOOK_EXISTS: 'url' },
    isInDialog: true,
    draftName: `webhook:${customerNumber}:${webhook?.id ?? 'new'}`,
    ...(webhook ? {} : { unchanged: 'Enter a URL and choose events.' }),
  })
  const title = webhook ? 'Change webhook' : 'Add webhook'
  return (
    <FormDialog form={form} title={title} size={620} onClose={onClose}>
      <TextInput
        {...form.field('url')}
        label="URL"
        description="The address of your endpoint. Events are sent there with POST."
        placeholder="https://hooks.example.com/licensing"
        inputMode="url"
        data-autofocus
      />
      <TextInput
        {...form.field('description')}
        label="Description"
        description="What it is for"
        maxLength={MAX_DESCRIPTION}
      />
      <Checkbox.Group {...form.field('events')} label="Events" description="Events to send">
        <div className={classes.events}>
          {EVENT_TYPES.map(({ type, label }) => (
            <Checkbox key={type} value={type} label={label} />
          ))}
        </div>
      </Checkbox.Group>
      {webhook && (
        <Switch
          checked={form.values.isOn}
          onChange={(event) => form.field('isOn').onChange(event.currentTarget.checked)}
          label="Deliver events"
          description="While this is off, events are kept for 30 days. You can send them later."
        />
      )}
      <FormFooter save={webhook ? 'Save' : 'Add webhook'} onClose={onClose} />
    </FormDialog>
  )
}
