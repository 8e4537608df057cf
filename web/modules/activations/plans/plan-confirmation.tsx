import { Button, Group, Stack, Tabs, Text, Textarea, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { NO_FILE_OUT_OF_DATE, NOTHING_TO_DO, NOTHING_TO_RENEW } from '#domain/activations/plans/host-plan.ts'
import { ACTIVATION_ERRORS } from '#domain/activations/seats/activation-error.ts'
import { heldBackRows, maintenanceObstacles } from '#domain/activations/seats/expired-maintenance.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'
import { endsWithin, type Soon } from '#domain/entitlements/term.ts'
import { failureText, hasCode, isRefusal } from '#web/lib/api/api-error.ts'
import { countText } from '#web/lib/format.ts'
import history from '#web/modules/activations/history/history.module.css'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'
import {
  type Confirmed,
  type Kept,
  type PlannedChange,
  type PlanRequest,
  previewQuery,
} from '#web/modules/activations/plans/host-plan.api.ts'
import { leaveAndActText, leavingText, planTexts, soonText } from '#web/modules/activations/plans/plan-texts.ts'
import { PlannedFiles } from '#web/modules/activations/plans/planned-files.tsx'
import {
  type Ending,
  type RenewalRow,
  RenewalTable,
  renewalRows,
  Unrenewed,
} from '#web/modules/activations/plans/renewal-table.tsx'
import { CustomerTab } from '#web/modules/activations/seats/customer-tab.tsx'
import { MaintenanceObstacles, ProductList, TICK_ONE } from '#web/modules/activations/seats/maintenance-obstacles.tsx'
import { SeatChangeTable } from '#web/modules/activations/seats/seat-change-table.tsx'
import { HostLink } from '#web/parts/host-link.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = {
  request: PlanRequest
  /** A renewal leaves out what ends later, unless it is ticked. */
  soon: Soon | undefined
  /** Why the server did not accept the plan. */
  refusal: Error | null
  isSaving: boolean
  onConfirm(confirmed: Confirmed, preview: PlanPreview): void
  onClose(): void
  /** Where Escape leads, if something was entered before. */
  onBack?: (() => void) | undefined
}

/** Shows what a plan will do, and asks whether it shall be done. */
export function PlanConfirmation({ request, soon, refusal, isSaving, onConfirm, onClose, onBack }: Props) {
  const { action, host } = request
  const [kept, setKept] = useState<Kept>([])
  const [reason, setReason] = useState('')
  const queries = useQueryClient()
  const { data, error, refetch, isPlaceholderData } = useQuery(previewQuery(request, kept))
  const isFirst = useRef(true)
  useEffect(() => {
    if (!data || soon === undefined || !isFirst.current) return
    isFirst.current = false
    setKept(
      renewalRows(data)
        .filter(({ ending }) => !endsWithin(ending.enddate, soon))
        .flatMap(keptOf),
    )
  }, [data, soon])
  const changes = data?.changes ?? []
  const { title, question, act } = planTexts(request, data)
  const isForced = action === 'FORCE_RETURN'
  const mayOverride = isForced || data?.mayOverrideMaintenance === true
  const obstacles = maintenanceObstacles(changes, mayOverride)
  const heldBack = heldBackRows(changes, mayOverride)
  const movable = changes.filter((one) => !heldBack.includes(one))
  const leaveText = action === 'REHOST' ? 'Leave them on the old server' : 'Leave them on the license server'
  const notReady = (): string | undefined => {
    if (error) return 'The changes could not be loaded.'
    if (!data || isPlaceholderData) return 'The changes are still loading.'
    if (action === 'REGENERATE') return data.files.length === 0 ? NO_FILE_OUT_OF_DATE : undefined
    if (movable.length === 0) return action === 'RENEW' ? NOTHING_TO_RENEW : NOTHING_TO_DO
    const ticked = movable.filter(({ isTicked }) => isTicked)
    if (ticked.length === 0) return TICK_ONE
    if (action === 'REHOST' && !ticked.some(({ kind }) => kind === 'activate'))
      return 'Tick a product that can be activated. Expired ones cannot.'
    return isForced && reason.trim() === '' ? 'Enter a reason.' : undefined
  }
  const keep = (row: Kept[number], isTicked: boolean) =>
    setKept(isTicked ? [...kept, row] : kept.filter((one) => keyOf(one) !== keyOf(row)))
  const leaveObstacles = (): Kept => {
    const rows = obstacles.map(({ customerNumber, activationid }) => ({ customerNumber, id: activationid }))
    const left = [...new Map([...kept, ...rows].map((row) => [keyOf(row), row])).values()]
    setKept(left)
    return left
  }
  const confirm = async () => {
    if (!data) return
    if (obstacles.length === 0) return onConfirm({ kept, basis: data.basis, reason: reason.trim() }, data)
    const left = leaveObstacles()
    // An error is shown by the query of the dialog, which asks for the same.
    const next = await queries.fetchQuery(previewQuery(request, left)).catch(() => undefined)
    // If something else has changed in the meantime, the person sees it first.
    if (next && isSameMove(movable, next.changes)) onConfirm({ kept: left, basis: next.basis, reason: '' }, next)
  }
  return (
    <Dialog onClose={onBack ?? onClose} size={1200} title={title}>
      {isRefusal(error) ? (
        <SignalStrip signal="red" role="alert">
          {refusalText(error)}
        </SignalStrip>
      ) : error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !data ? (
        <Spinner />
      ) : (
        <>
          {(soon || changes.length > 0 || data.files.length > 0) && (
            <Text mb="0.75rem">{soon ? soonText(data, soon) : question}</Text>
          )}
          {action === 'REGENERATE' && data.files.length === 0 && <Text mb="0.75rem">{NO_FILE_OUT_OF_DATE}</Text>}
          <Stack gap="0.5rem">
            {isForced && (
              <SignalStrip signal="orange" role="status">
                Do this only if the license server is lost. A license file that is still installed there keeps working
                until its licenses end.
              </SignalStrip>
            )}
            {(action === 'REHOST' || action === 'DEACTIVATE') && !data.becomesInactive && (
              <SignalStrip signal="orange" role="status">
                Some products stay on <HostLink host={request.host} />, so it stays active.
                {heldBack.length > 0 && obstacles.length === 0 && (
                  <>
                    {' '}
                    The maintenance of these has expired:
                    <ProductList products={heldBack} />
                  </>
                )}
              </SignalStrip>
            )}
            {action === 'REHOST' && data.leavingMembers.length > 0 && (
              <SignalStrip signal="orange" role="status">
                {leavingText(data.leavingMembers, request.host, request.target)}
              </SignalStrip>
            )}
            <MaintenanceObstacles
              obstacles={obstacles}
              {...(movable.length > 0 && { leave: { text: leaveText, onClick: () => void leaveObstacles() } })}
            />
          </Stack>
          {isForced && (
            <Textarea
              label="Reason"
              description="It is kept in the audit log, and shown in the timeline of the license server."
              required
              autosize
              minRows={2}
              maxRows={6}
              maxLength={1000}
              mt="sm"
              data-autofocus
              value={reason}
              onChange={({ currentTarget: { value } }) => setReason(value)}
            />
          )}
          {action === 'RENEW' ? (
            <Renewals
              preview={data}
              soon={soon}
              hasHosts={!host}
              onToggle={(row) => {
                for (const one of keptOf(row)) keep(one, row.isTicked)
              }}
            />
          ) : (
            movable.length > 0 && (
              <SeatChanges
                changes={movable}
                onToggle={
                  isForced
                    ? undefined
                    : ({ customerNumber, activationid, isTicked }) =>
                        keep({ customerNumber, id: activationid }, isTicked)
                }
              />
            )
          )}
          <PlannedFiles files={data.files} filesLeftOut={data.filesLeftOut} />
        </>
      )}
      {refusal && (
        <SignalStrip signal="red" role="alert">
          {refusalText(refusal)}
        </SignalStrip>
      )}
      <Group justify="flex-end" mt="lg" gap="xs" className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonTooltip reason={notReady()}>
          <Button data-autofocus={!isForced || undefined} loading={isSaving} onClick={() => void confirm()}>
            {obstacles.length > 0 && movable.length > 0 ? leaveAndActText(request, obstacles, movable) : act}
          </Button>
        </ReasonTooltip>
      </Group>
    </Dialog>
  )
}

type RenewalsProps = Pick<Props, 'soon'> & { preview: PlanPreview; hasHosts: boolean; onToggle(row: RenewalRow): void }

/** What ends soon is open; what ends later is below it and folded. */
function Renewals({ preview, soon, hasHosts, onToggle }: RenewalsProps) {
  const rows = renewalRows(preview)
  const isSoon = ({ enddate }: Ending) => soon === undefined || endsWithin(enddate, soon)
  const [first, later] = [rows.filter(({ ending }) => isSoon(ending)), rows.filter(({ ending }) => !isSoon(ending))]
  return (
    <>
      {rows.length === 0 && <Text mb="0.75rem">{NOTHING_TO_RENEW}</Text>}
      {first.length > 0 && (
        <>
          {soon && <Title order={3}>{`Ends within ${soon.days} days (${countText(first.length)})`}</Title>}
          <RenewalTable title="Products to replace" rows={first} hasHosts={hasHosts} onToggle={onToggle} />
        </>
      )}
      {later.length > 0 && (
        <details className={classes.preview}>
          <summary className={history.fileHead}>
            <Title order={3}>{laterText(later)}</Title>
          </summary>
          <RenewalTable title="Products that end later" rows={later} hasHosts={hasHosts} onToggle={onToggle} />
        </details>
      )}
      <Unrenewed endings={preview.endings.filter(isSoon)} hasHosts={hasHosts} />
    </>
  )
}

function laterText(rows: readonly RenewalRow[]): string {
  const included = rows.filter(({ isTicked }) => isTicked).length
  return `Later (${countText(rows.length)}), ${included === 0 ? 'not' : countText(included)} included`
}

type ChangesProps = { changes: readonly PlannedChange[]; onToggle: ((row: SeatChange) => void) | undefined }

/** One tab per customer that shares the host. */
function SeatChanges({ changes, onToggle }: ChangesProps) {
  const [shown, setShown] = useState<string | null>(null)
  const customers = new Map(changes.map(({ customerNumber, customerName }) => [customerNumber, customerName]))
  const first = [...customers.keys()][0] ?? null
  const own = changes.filter((one) => one.customerNumber === (shown ?? first))
  return (
    <Tabs value={shown ?? first} onChange={setShown} keepMounted={false} mt="sm">
      <Tabs.List aria-label="Customers">
        {[...customers].map(([number, name]) => (
          <CustomerTab key={number} number={number} name={name} />
        ))}
      </Tabs.List>
      <div className={classes.tables}>
        {(['deactivate', 'activate'] as const).map((kind) => (
          <SeatChangeTable
            key={kind}
            title={`Products to ${kind}`}
            rows={own.filter((one) => one.kind === kind).map((one) => ({ ...one, fulfillments: [] }))}
            onToggle={onToggle}
          />
        ))}
      </div>
    </Tabs>
  )
}

/** Whether a preview moves what was shown. What is left out does not count. */
function isSameMove(shown: readonly PlannedChange[], next: readonly PlannedChange[]): boolean {
  const moves = (changes: readonly PlannedChange[]) =>
    changes
      .filter(({ isTicked }) => isTicked)
      .map(({ kind, customerNumber, activationid, count }) => [kind, customerNumber, activationid, count].join(' '))
      .sort()
      .join()
  return moves(shown) === moves(next)
}

const keptOf = ({ ending, renewals: [first] }: RenewalRow): Kept =>
  first ? [{ customerNumber: first.customerNumber, id: ending.activationid, hostId: ending.server.serverId }] : []

const keyOf = ({ customerNumber, id, hostId }: Kept[number]) => `${customerNumber} ${id} ${hostId ?? ''}`

const refusalText = (error: Error) => (hasCode(error, 'REHOSTING_OFF') ? ACTIVATION_ERRORS.rehost : failureText(error))
