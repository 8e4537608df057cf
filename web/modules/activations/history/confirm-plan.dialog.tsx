import { Button, Group, Modal, Tabs } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HostPlan } from '#contract/activations/plan-fields.ts'
import { ACTIVATION_ERRORS } from '#domain/activations/activation-error.ts'
import { MAINTENANCE_EXPIRED } from '#domain/activations/expired-maintenance.ts'
import { type HostIdentity, hostIdLabel } from '#domain/activations/host.ts'
import { differenceText } from '#domain/activations/license-difference.ts'
import type { SeatChange } from '#domain/activations/seat-changes.ts'
import { useSave } from '#web/form/use-save.ts'
import { failureText, hasCode } from '#web/lib/api-failure.ts'
import confirm from '#web/modules/activations/confirm-changes.module.css'
import {
  type Kept,
  type PlannedChange,
  type PlanRequest,
  planQuery,
  previewQuery,
  reloadHistory,
  startPlan,
} from '#web/modules/activations/history/host-plan.api.ts'
import { LicenseLines } from '#web/modules/activations/license-lines.tsx'
import { SaveProgress } from '#web/modules/activations/save-progress.tsx'
import { SeatChangeTable } from '#web/modules/activations/seat-change-table.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './history.module.css'

type Props = { request: PlanRequest; onClose(): void }

/** Shows what a rehost or a deactivation will do, customer by customer, and then how far the server is with it. */
export function ConfirmPlanDialog({ request, onClose }: Props) {
  const { customerNumber, host, target } = request
  const queries = useQueryClient()
  const [kept, setKept] = useState<Kept>([])
  const { data, error, refetch, isPlaceholderData } = useQuery(previewQuery(request, kept))
  const [plan, setPlan] = useState<HostPlan>()
  const progress = useQuery(planQuery(customerNumber, plan)).data
  const [shown, setShown] = useState<string | null>(null)
  const {
    save,
    isSaving,
    error: refusal,
  } = useSave({
    send: (basis: string, key) => startPlan(request, kept, basis, key),
    success: target ? 'The rehost has begun.' : 'The deactivation has begun.',
    onSaved: (begun) => setPlan(begun),
    onFailed: () => true,
  })
  const isOver = plan !== undefined && progress?.finishedAt != null
  useEffect(() => {
    if (!isOver || !progress) return
    if (progress.failure) showPanel('error', progress.failure.err)
    else showPanel('success', target ? `Everything has moved to ${nameOf(target)}.` : `${nameOf(host)} is deactivated.`)
    void reloadHistory(queries)
    onClose()
  }, [isOver])

  const toggle = ({ customerNumber, activationid, isTicked }: SeatChange) =>
    setKept(
      isTicked
        ? [...kept, { customerNumber, id: activationid }]
        : kept.filter((one) => one.customerNumber !== customerNumber || one.id !== activationid),
    )
  if (plan) {
    const { text, done, total } = progress ?? plan
    return <SaveProgress progress={{ text, done, total }} />
  }
  const changes = data?.changes ?? []
  const numbers = [...new Set(changes.map((one) => one.customerNumber))]
  const own = changes.filter((one) => one.customerNumber === (shown ?? numbers[0]))
  const isBlocked = data?.mayOverrideMaintenance !== true && changes.some(isObstacle)
  const title = target ? `Rehost ${nameOf(host)} on ${nameOf(target)}` : `Deactivate ${nameOf(host)}`
  return (
    <Modal opened onClose={onClose} size={1200} title={title}>
      <p className={classes.question}>
        {target
          ? `The following products will be deactivated on ${named(host)} and activated on ${named(target)}.`
          : `The following products will be deactivated on ${named(host)}.`}
      </p>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !data ? (
        <Spinner />
      ) : (
        <>
          {!data.becomesInactive && (
            <SignalStrip signal="orange" role="status">
              Some products stay on {nameOf(host)}, so it stays active.
            </SignalStrip>
          )}
          {isBlocked && (
            <SignalStrip signal="red" role="alert">
              {MAINTENANCE_EXPIRED}
            </SignalStrip>
          )}
          <Tabs value={shown ?? numbers[0] ?? null} onChange={setShown} keepMounted={false} mt="sm">
            <Tabs.List aria-label="Customers">
              {numbers.map((number) => (
                <Tabs.Tab key={number} value={number}>
                  {number}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <div className={confirm.tables}>
              {(['deactivate', 'activate'] as const).map((kind) => (
                <SeatChangeTable
                  key={kind}
                  title={`Products to ${kind}`}
                  rows={own.filter((one) => one.kind === kind).map((one) => ({ ...one, fulfillments: [] }))}
                  onToggle={toggle}
                />
              ))}
            </div>
          </Tabs>
          {data.files.map((file) => (
            <section key={`${file.customerNumber} ${file.server.serverId}`} className={confirm.preview}>
              <div className={confirm.previewHead}>
                <h3 className={classes.title}>License file of {nameOf(file.server)}</h3>
                <span className={confirm.summary}>
                  {file.licenseText === ''
                    ? 'Nothing is left to license on this host: no file will be generated.'
                    : differenceText(file.difference.summary)}
                </span>
              </div>
              <LicenseLines entries={file.difference.entries} isWhole={false} />
            </section>
          ))}
        </>
      )}
      {refusal && (
        <SignalStrip signal="red" role="alert">
          {hasCode(refusal, 'REHOSTING_OFF') ? ACTIVATION_ERRORS.rehost : failureText(refusal)}
        </SignalStrip>
      )}
      <Group justify="flex-end" mt="lg" gap="xs" className={confirm.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          data-autofocus
          loading={isSaving}
          disabled={!data || isPlaceholderData || isBlocked || changes.every(({ isTicked }) => !isTicked)}
          onClick={() => data && save(data.basis)}
        >
          Ok
        </Button>
      </Group>
    </Modal>
  )
}

const isObstacle = ({ isTicked, isMaintenanceExpired }: PlannedChange) => isTicked && isMaintenanceExpired
const nameOf = ({ serverName }: HostIdentity) => serverName.replaceAll(',', ', ')
const named = (host: HostIdentity) => `${nameOf(host)} (${hostIdLabel(host)})`
