import { ActionIcon, Button, Menu, Title } from '@mantine/core'
import { IconDots, IconEdit, IconHistory, IconKey, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { ROTATION_HOURS } from '#domain/webhooks/endpoint.ts'
import { eventLabel } from '#domain/webhooks/event-types.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { Details } from '#web/modules/webhooks/delivery-details.tsx'
import { ReplayDialog } from '#web/modules/webhooks/replay.dialog.tsx'
import { WebhookDialog } from '#web/modules/webhooks/webhook.dialog.tsx'
import { DELIVERY_COLUMNS, WEBHOOK_COLUMNS } from '#web/modules/webhooks/webhook-columns.tsx'
import {
  deliverySource,
  sendAgain,
  useReloadWebhooks,
  type WebhookRow,
  webhookSource,
} from '#web/modules/webhooks/webhooks.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { useTable } from '#web/table/use-table.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ShownOnce } from '#web/ui/dialogs/shown-once.dialog.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './webhooks.module.css'

const BY_URL = [{ column: 'url', direction: 'asc' }] as const
const NEWEST_FIRST = [{ column: 'time', direction: 'desc' }] as const
/** When the log is loaded again after something was sent, in milliseconds: a delivery usually takes a second or two. */
const LOOK_AGAIN = [1500, 4000, 10_000]

export function Page() {
  const { number } = useKnownCustomer()
  return (
    <>
      <PageHead context="Sends events to your endpoints." />
      <div className={classes.parts} key={number}>
        <Webhooks customerNumber={number} />
        <Deliveries customerNumber={number} />
      </div>
    </>
  )
}

/** Loads the tables again, now and when what was sent should have arrived. */
function useLookAgain(customerNumber: string) {
  const reload = useReloadWebhooks(customerNumber)
  return () => {
    void reload()
    for (const pause of LOOK_AGAIN) setTimeout(() => void reload(), pause)
  }
}

type Opened =
  | { dialog: 'webhook'; row: WebhookRow | undefined }
  | { dialog: 'secret'; url: string; secret: string; isRotated: boolean }
  | { dialog: 'replay'; row: WebhookRow }

function Webhooks({ customerNumber }: { customerNumber: string }) {
  const source = useMemo(() => webhookSource(customerNumber), [customerNumber])
  const table = useTable({
    tableName: 'webhookEndpoints',
    columns: WEBHOOK_COLUMNS,
    rowKey,
    source,
    sorting: BY_URL,
    urlPrefix: '',
  })
  const reload = useReloadWebhooks(customerNumber)
  const lookAgain = useLookAgain(customerNumber)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const testing = useSave({
    send: (row: WebhookRow, key) =>
      call('webhooks/test', { body: { customerNumber, id: row.id }, idempotencyKey: key }),
    success: 'The test event is on its way. Deliveries shows its outcome.',
    notDone: 'Nothing was sent.',
    onSaved: lookAgain,
  })
  const rotating = useSave({
    send: (row: WebhookRow, key) =>
      call('webhooks/rotate', { body: { customerNumber, id: row.id }, idempotencyKey: key }),
    success: () => undefined,
    onSaved: ({ secret }, { url }) => {
      setOpened({ dialog: 'secret', url, secret, isRotated: true })
      return reload()
    },
  })
  const removing = useSave({
    send: (row: WebhookRow, key) =>
      call('webhooks/remove', { body: { customerNumber, id: row.id }, idempotencyKey: key }),
    success: 'The webhook has been removed.',
    notDone: 'Nothing was removed.',
    onSaved: reload,
  })
  const rotate = async (row: WebhookRow) => {
    const question = `Make a new secret for ${row.url}? The present secret is valid for ${ROTATION_HOURS} more hours. Events are signed with both until then.`
    if (await confirm(question, 'Make new secret')) rotating.save(row)
  }
  const remove = async (row: WebhookRow) => {
    const question = `Remove the webhook ${row.url}? It gets no more events, and its deliveries are deleted.`
    if (await confirm(question, 'Remove webhook')) removing.save(row)
  }
  return (
    <>
      <DataTable
        table={table}
        label="Webhooks"
        what="webhooks"
        rowName={nameOf}
        noRows="This account has no webhooks yet. Add one to tell a system of yours what happens here."
        actionsWidth={84}
        rowActions={(row) => (
          <>
            <Tooltip label={row.isOn ? 'Send test event' : 'Switch it on to send a test event'}>
              <ActionIcon
                variant="subtle"
                aria-label={`Send test event: ${row.url}`}
                disabled={!row.isOn || testing.isSaving}
                onClick={() => testing.save(row)}
              >
                <IconSend size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <LazyMenu
              label={`More actions: ${row.url}`}
              icon={<IconDots size={16} aria-hidden />}
              className={classes.more}
            >
              {() => (
                <>
                  <Menu.Item
                    leftSection={<IconEdit size={15} aria-hidden />}
                    onClick={() => setOpened({ dialog: 'webhook', row })}
                  >
                    Change
                  </Menu.Item>
                  <Menu.Item leftSection={<IconKey size={15} aria-hidden />} onClick={() => rotate(row)}>
                    Make new secret
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<IconHistory size={15} aria-hidden />}
                    disabled={!row.isOn}
                    onClick={() => setOpened({ dialog: 'replay', row })}
                  >
                    Send events again
                  </Menu.Item>
                  <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => remove(row)}>
                    Remove
                  </Menu.Item>
                </>
              )}
            </LazyMenu>
          </>
        )}
        actions={
          <Button
            size="xs"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => setOpened({ dialog: 'webhook', row: undefined })}
          >
            Add webhook
          </Button>
        }
      />
      {opened?.dialog === 'webhook' && (
        <WebhookDialog
          customerNumber={customerNumber}
          webhook={opened.row}
          onSaved={(url, secret) => {
            setOpened(secret === undefined ? undefined : { dialog: 'secret', url, secret, isRotated: false })
            void reload()
          }}
          onClose={close}
        />
      )}
      {opened?.dialog === 'secret' && (
        <ShownOnce title="Signing secret" what="secret" value={opened.secret} onClose={close}>
          With it, the endpoint <span className={classes.url}>{opened.url}</span> verifies that events come from this
          portal, as Standard Webhooks describes.
          {opened.isRotated && ` The former secret is also valid for ${ROTATION_HOURS} more hours.`}
        </ShownOnce>
      )}
      {opened?.dialog === 'replay' && (
        <ReplayDialog customerNumber={customerNumber} webhook={opened.row} onSent={lookAgain} onClose={close} />
      )}
    </>
  )
}

function Deliveries({ customerNumber }: { customerNumber: string }) {
  const source = useMemo(() => deliverySource(customerNumber), [customerNumber])
  const detail = useMemo(
    () => (delivery: Delivery) => <Details customerNumber={customerNumber} delivery={delivery} />,
    [customerNumber],
  )
  const table = useTable({
    tableName: 'webhookDeliveries',
    columns: DELIVERY_COLUMNS,
    rowKey: deliveryKey,
    source,
    sorting: NEWEST_FIRST,
    urlPrefix: 'delivery.',
  })
  const lookAgain = useLookAgain(customerNumber)
  const sending = useSave({
    send: (delivery: Delivery, key) => sendAgain(customerNumber, delivery, key),
    success: 'The event is sent again.',
    notDone: 'Nothing was sent.',
    onSaved: lookAgain,
  })
  return (
    <section aria-labelledby="deliveries">
      <Title order={2} id="deliveries" className={classes.title}>
        Deliveries
      </Title>
      <DataTable
        table={table}
        label="Deliveries"
        what="deliveries"
        rowName={deliveryName}
        detail={detail}
        noRows="No event was written for these webhooks yet."
        actionsWidth={56}
        rowActions={(delivery) => (
          <Tooltip label="Send again">
            <ActionIcon
              variant="subtle"
              aria-label={`Send again: ${deliveryName(delivery)}`}
              disabled={sending.isSaving}
              onClick={() => sending.save(delivery)}
            >
              <IconSend size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      />
    </section>
  )
}

const rowKey = (row: WebhookRow) => row.id
const nameOf = (row: WebhookRow) => row.url
const deliveryKey = ({ endpointId, id }: Delivery) => `${endpointId} ${id}`
const deliveryName = ({ event, url }: Delivery) => `${eventLabel(event)}, ${url}`
