import { Box, Button, Group } from '@mantine/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Loaded } from '#web/form/loaded.tsx'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { grantedText, REQUEST_COLUMNS, wantedText } from '#web/modules/requests/request-columns.tsx'
import {
  type LicenseRequest,
  requestSource,
  rulesQuery,
  useReloadAfterDecision,
} from '#web/modules/requests/requests.api.ts'
import { RulesForm } from '#web/modules/requests/rules.form.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { Card } from '#web/ui/cards.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './requests.module.css'

const ApproveDialog = lazy(async () => ({
  default: (await import('#web/modules/requests/approve.dialog.tsx')).ApproveDialog,
}))

const DeclineDialog = lazy(async () => ({
  default: (await import('#web/modules/requests/decline.dialog.tsx')).DeclineDialog,
}))

const NEWEST_FIRST = [{ column: 'requestedAt', direction: 'desc' }] as const

/** What people have asked for, with the decision; for administrators the rules as well. */
export function Page() {
  const { number } = useKnownCustomer()
  const { user } = useSignedIn()
  const mayDecide = useCan('requests.decide')
  const maySetRules = useCan('requests.rules')
  const reload = useReloadAfterDecision()
  const [deciding, setDeciding] = useState<{ how: 'approve' | 'decline'; request: LicenseRequest }>()
  const source = useMemo(() => requestSource(number), [number])
  const table = useTable({ tableName: 'requestList', columns: REQUEST_COLUMNS, rowKey, source, sorting: NEWEST_FIRST })
  const { save: withdraw } = useSave({
    send: (id: string, key) => call('requests/withdraw', { body: { customerNumber: number, id }, idempotencyKey: key }),
    success: 'The request was withdrawn.',
    notDone: 'The request was not withdrawn.',
    onSaved: reload,
  })
  const rowActions = useMemo(
    () => (request: LicenseRequest) => {
      if (request.state !== 'open') return null
      const name = wantedText(request)
      return (
        <Group gap="0.25rem" wrap="nowrap" justify="flex-end">
          {mayDecide && (
            <>
              <Button
                size="compact-xs"
                aria-label={`Approve: ${name}`}
                onClick={() => setDeciding({ how: 'approve', request })}
              >
                Approve
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Decline: ${name}`}
                onClick={() => setDeciding({ how: 'decline', request })}
              >
                Decline
              </Button>
            </>
          )}
          {!mayDecide && request.requestedBy === user.email && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Withdraw: ${name}`}
              onClick={() => withdraw(request.id)}
            >
              Withdraw
            </Button>
          )}
        </Group>
      )
    },
    [mayDecide, user.email, withdraw],
  )
  const close = () => setDeciding(undefined)
  return (
    <>
      <PageHead
        context={mayDecide ? 'Requests from viewers and web users.' : 'What you have asked for, and what was decided.'}
      />
      <DataTable
        table={table}
        label="Requests"
        what="requests"
        rowName={wantedText}
        detail={detailOf}
        rowActions={rowActions}
        actionsWidth={172}
        noRows={
          mayDecide
            ? 'Nobody has asked for anything yet.'
            : 'You have not asked for anything yet. The screens of web licenses, license servers and spending accounts have a button for it.'
        }
      />
      {maySetRules && (
        <Box mt="md">
          <Card title="Rules">
            <Loaded query={rulesQuery(number)}>{(rules) => <RulesForm customerNumber={number} rules={rules} />}</Loaded>
          </Card>
        </Box>
      )}
      <Suspense>
        {deciding?.how === 'approve' && <ApproveDialog request={deciding.request} onClose={close} />}
        {deciding?.how === 'decline' && <DeclineDialog request={deciding.request} onClose={close} />}
      </Suspense>
    </>
  )
}

const rowKey = (request: LicenseRequest) => request.id

const detailOf = (request: LicenseRequest) => (
  <div className={classes.detail}>
    <Facts
      facts={[
        ['Reason', request.reason],
        ['Activation or part number', request.item],
        ['Expires', request.state === 'open' && timeText(request.expiresAt)],
        ['Decided by', request.isByRule ? `A rule of ${request.decidedBy}` : request.decidedBy],
        ['Decided', request.decidedAt && timeText(request.decidedAt)],
        ['Approved', grantedText(request)],
        ['Answer', request.decision],
      ]}
    />
  </div>
)
