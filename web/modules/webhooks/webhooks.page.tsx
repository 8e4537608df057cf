import { Title } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { eventLabel } from '#domain/webhooks/event-types.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { Details } from '#web/modules/webhooks/delivery-details.tsx'
import { DELIVERY_COLUMNS, WEBHOOK_COLUMNS } from '#web/modules/webhooks/webhook-columns.tsx'
import { ADD, CHANGE, REMOVE, REPLAY, ROTATE, SEND_AGAIN, SEND_TEST } from '#web/modules/webhooks/webhooks.actions.tsx'
import { deliverySource, type WebhookRow, webhookSource } from '#web/modules/webhooks/webhooks.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { useTable } from '#web/table/use-table.ts'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { MenuAction, RowAction } from '#web/ui/actions/row-action.tsx'
import { useActions } from '#web/ui/actions/use-actions.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './webhooks.module.css'

const BY_URL = [{ column: 'url', direction: 'asc' }] as const
const NEWEST_FIRST = [{ column: 'time', direction: 'desc' }] as const

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
  const { run, dialog } = useActions()
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
            <RowAction action={SEND_TEST} thing={row} name={row.url} onRun={run} />
            <LazyMenu
              label={`More actions: ${row.url}`}
              icon={<IconDots size={16} aria-hidden />}
              className={classes.more}
            >
              {() =>
                [CHANGE, ROTATE, REPLAY, REMOVE].map((action) => (
                  <MenuAction key={action.button} action={action} thing={row} onRun={run} />
                ))
              }
            </LazyMenu>
          </>
        )}
        actions={<ActionButton action={ADD} thing={undefined} size="xs" hasIcon />}
      />
      {dialog}
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
  const { run } = useActions()
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
        rowActions={(row) => <RowAction action={SEND_AGAIN} thing={row} name={deliveryName(row)} onRun={run} />}
      />
    </section>
  )
}

const rowKey = (row: WebhookRow) => row.id
const nameOf = (row: WebhookRow) => row.url
const deliveryKey = ({ endpointId, id }: Delivery) => `${endpointId} ${id}`
const deliveryName = ({ event, url }: Delivery) => `${eventLabel(event)}, ${url}`
