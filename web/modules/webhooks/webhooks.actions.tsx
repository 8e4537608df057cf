import { IconEdit, IconHistory, IconKey, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { lazy } from 'react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { ROTATION_HOURS } from '#domain/webhooks/endpoint.ts'
import type { ActionScreen, CallOn, DialogOn } from '#web/lib/action.ts'
import { call } from '#web/lib/api/api-client.ts'
import { lookAgain, reloadWebhooks, type WebhookRow } from '#web/modules/webhooks/webhooks.api.ts'

const ReplayDialog = lazy(async () => ({
  default: (await import('#web/modules/webhooks/replay.dialog.tsx')).ReplayDialog,
}))

const SecretDialog = lazy(async () => ({
  default: (await import('#web/modules/webhooks/webhook.dialog.tsx')).SecretDialog,
}))

const WebhookDialog = lazy(async () => ({
  default: (await import('#web/modules/webhooks/webhook.dialog.tsx')).WebhookDialog,
}))

const right = 'webhooks.manage'
const reload = ({ queries, customerNumber }: ActionScreen) => reloadWebhooks(queries, customerNumber)
const follow = ({ queries, customerNumber }: ActionScreen) => lookAgain(queries, customerNumber)

const opening = (webhook: WebhookRow | undefined) => ({
  dialog: (onClose: () => void) => <WebhookDialog webhook={webhook} onClose={onClose} />,
})
export const ADD: DialogOn<undefined> = { right, button: 'Add webhook', icon: IconPlus, opens: opening }
export const CHANGE: DialogOn<WebhookRow> = { right, button: 'Change', icon: IconEdit, opens: opening }

export const SEND_TEST: CallOn<WebhookRow> = {
  right,
  button: 'Send test event',
  icon: IconSend,
  reason: ({ isOn }) => (isOn ? undefined : 'Switch it on to send a test event.'),
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('webhooks/test', { body: { customerNumber, id }, idempotencyKey }),
  success: () => 'The test event is on its way. Deliveries shows its outcome.',
  notDone: 'Nothing was sent.',
  onSaved: follow,
}

export const ROTATE: CallOn<WebhookRow, { secret: string }> = {
  right,
  button: 'Make new secret',
  icon: IconKey,
  confirm: {
    act: 'Make new secret',
    question: ({ url }) =>
      `Make a new secret for ${url}? The present secret is valid for ${ROTATION_HOURS} more hours. Events are signed with both until then.`,
  },
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('webhooks/rotate', { body: { customerNumber, id }, idempotencyKey }),
  onSaved: reload,
  shows: ({ secret }, { url }) => ({
    dialog: (onClose) => <SecretDialog url={url} secret={secret} isRotated onClose={onClose} />,
  }),
}

export const REPLAY: DialogOn<WebhookRow> = {
  right,
  button: 'Send events again',
  icon: IconHistory,
  reason: ({ isOn }) => (isOn ? undefined : 'Switch it on to send events.'),
  opens: (webhook) => ({ dialog: (onClose) => <ReplayDialog webhook={webhook} onClose={onClose} /> }),
}

export const REMOVE: CallOn<WebhookRow> = {
  right,
  button: 'Remove',
  icon: IconTrash,
  isDangerous: true,
  confirm: {
    act: 'Remove webhook',
    question: ({ url }) => `Remove the webhook ${url}? It gets no more events, and its deliveries are deleted.`,
  },
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('webhooks/remove', { body: { customerNumber, id }, idempotencyKey }),
  success: () => 'The webhook has been removed.',
  notDone: 'Nothing was removed.',
  onSaved: reload,
}

export const SEND_AGAIN: CallOn<Delivery> = {
  right,
  button: 'Send again',
  icon: IconSend,
  send: ({ endpointId, id }, customerNumber, idempotencyKey) =>
    call('webhooks/resend', { body: { customerNumber, endpointId, id }, idempotencyKey }),
  success: () => 'The event is sent again.',
  notDone: 'Nothing was sent.',
  onSaved: follow,
}
