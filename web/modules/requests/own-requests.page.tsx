import { Button, Paper, Textarea } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnRequests } from '#contract/requests/requests.ts'
import { MAX_REASON } from '#domain/requests/request.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { timeText, ZONE_NOTE } from '#web/lib/format.ts'
import { STATE_TEXTS } from '#web/modules/requests/request-columns.tsx'
import { ownRequestsQuery } from '#web/modules/requests/requests.api.ts'
import { Card, Cards } from '#web/ui/cards.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './requests.module.css'

/** Web users see no account. Here they ask for licenses of the accounts that have added them. */
export function Page() {
  return (
    <>
      <PageHead context={ZONE_NOTE} />
      <Loaded query={ownRequestsQuery}>{(own) => <Own own={own} />}</Loaded>
    </>
  )
}

function Own({ own: { offers, requests } }: { own: OwnRequests }) {
  return (
    <Cards>
      {offers.length === 0 && (
        <Paper>
          <EmptyState
            icon={IconHandStop}
            title="No account has added you as a web user, or they do not take requests."
          />
        </Paper>
      )}
      {offers.map((offer) => (
        <Offer key={offer.customerNumber} offer={offer} />
      ))}
      {requests.length > 0 && (
        <Card title="Your requests">
          <ul className={classes.list}>
            {requests.map((request) => (
              <RequestLine key={request.id} request={request} />
            ))}
          </ul>
        </Card>
      )}
    </Cards>
  )
}

function useReload() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ownRequestsQuery.queryKey })
}

function Offer({ offer }: { offer: OwnRequests['offers'][number] }) {
  const reload = useReload()
  const [reason, setReason] = useState('')
  const { save, isSaving } = useSave({
    send: (activationId: string, key) =>
      call('requests/own/ask', {
        body: { customerNumber: offer.customerNumber, activationId, reason },
        idempotencyKey: key,
      }),
    success: ({ isByRule }) => (isByRule ? 'You have the license now.' : 'Your request was sent.'),
    notDone: 'Nothing was sent.',
    onSaved: reload,
  })
  return (
    <Card title={`Licenses of ${offer.customerName}`}>
      <Textarea
        label="Reason"
        description="Administrators of the account read it."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={MAX_REASON}
        autosize
        minRows={2}
      />
      <ul className={classes.list}>
        {offer.licenses.map(({ activationId, product, isAssigned, isRequested }) => (
          <li key={activationId} className={classes.line}>
            <span>{product}</span>
            {isAssigned ? (
              <span className={classes.note}>You have this license.</span>
            ) : isRequested ? (
              <span className={classes.note}>Requested</span>
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                disabled={isSaving}
                aria-label={`Request ${product}`}
                onClick={() => save(activationId)}
              >
                Request
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function RequestLine({ request }: { request: OwnRequests['requests'][number] }) {
  const reload = useReload()
  const { save, isSaving } = useSave({
    send: (id: string, key) =>
      call('requests/own/withdraw', { body: { customerNumber: request.customerNumber, id }, idempotencyKey: key }),
    success: 'The request was withdrawn.',
    notDone: 'The request was not withdrawn.',
    onSaved: reload,
  })
  return (
    <li className={classes.line}>
      <span>
        {request.product} <span className={classes.note}>{timeText(request.requestedAt)}</span>
      </span>
      <span>
        {STATE_TEXTS[request.state]}
        {request.grantedProduct && `: ${request.grantedProduct}`}
        {request.grantedTarget && ` for ${request.grantedTarget}`}
        {request.decision && `: ${request.decision}`}
      </span>
      {request.state === 'open' && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isSaving}
          aria-label={`Withdraw ${request.product}`}
          onClick={() => save(request.id)}
        >
          Withdraw
        </Button>
      )}
    </li>
  )
}
