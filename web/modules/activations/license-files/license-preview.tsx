import { Button, CopyButton, SegmentedControl } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serverCustomers } from '#contract/activations/hosts/shared-server.ts'
import { previewLicense } from '#contract/activations/license-files/license-files.ts'
import { serverEntitlements } from '#contract/activations/seats/activations.ts'
import { differenceText } from '#domain/activations/license-files/license-difference.ts'
import type { Stage } from '#domain/activations/plans/plan.ts'
import { planSave, type Reached } from '#domain/activations/plans/save-plan.ts'
import { call } from '#web/lib/api-client.ts'
import { hasCode } from '#web/lib/api-failure.ts'
import { timeText } from '#web/lib/format.ts'
import { hostFields } from '#web/modules/activations/activations.api.ts'
import { LicenseLines } from '#web/modules/activations/license-files/license-lines.tsx'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type View = 'Changes' | 'Whole file'

function previewQuery(job: SaveJob) {
  return queryOptions({
    queryKey: ['license-preview', job.saveId],
    queryFn: () => loadPreview(job),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The license file that the save would generate, compared with the current one. */
export function LicensePreview({ job }: { job: SaveJob }) {
  const [view, setView] = useState<View>('Changes')
  const { data, error, refetch } = useQuery({ ...previewQuery(job), placeholderData: keepPreviousData })
  return (
    <section className={classes.preview} aria-label="License file">
      <div className={classes.previewHead}>
        <h3 className={classes.title}>License file</h3>
        {data && <span className={classes.summary}>{summaryText(data)}</span>}
        {data?.licenseText && (
          <span className={classes.previewActions}>
            <SegmentedControl
              size="xs"
              data={['Changes', 'Whole file']}
              value={view}
              onChange={(value) => setView(value as View)}
              aria-label="Part of the license file to show"
            />
            <CopyButton value={data.licenseText} timeout={1500}>
              {({ copied, copy }) => (
                <Button
                  size="xs"
                  variant="default"
                  onClick={copy}
                  leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
                >
                  {copied ? 'Copied' : 'Copy preview'}
                </Button>
              )}
            </CopyButton>
          </span>
        )}
      </div>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : data ? (
        <LicenseLines
          entries={
            view === 'Changes'
              ? data.difference.entries
              : [{ kind: 'unchanged', lines: data.licenseText.trimEnd().split('\n') }]
          }
          isWhole={view === 'Whole file'}
        />
      ) : (
        <Spinner text="Comparing license files..." />
      )}
    </section>
  )
}

type Preview = Awaited<ReturnType<typeof loadPreview>>

function summaryText({ before, difference, licenseText }: Preview): string {
  const compared = before ? `Compared with the file of ${timeText(before.generatedAt)}. ` : 'This is the first file. '
  if (licenseText === '') return 'No licenses are left on this license server, so no license file will be generated.'
  return `${compared}${differenceText(difference.summary)} Signatures are added when the file is generated.`
}

/** The server plans the save by this rule as well, so that the preview cannot show anything else. */
async function loadPreview(job: SaveJob) {
  const { request, isBorrowable, portNumber } = job
  const stages = planSave({ ...request, mail: undefined }, await loadReached(job))
  const customers = request.goals.map(({ customerNumber }) => ({
    customerNumber,
    activations: operationsOf(stages, customerNumber),
  }))
  return call(previewLicense, { body: { ...request.host, portNumber, ansysborrowed: isBorrowable, customers } })
}

function operationsOf(stages: readonly Stage[], customerNumber: string) {
  return stages
    .flatMap(({ steps }) => steps)
    .flatMap((step) =>
      (step.kind === 'return' || step.kind === 'create') && step.customerNumber === customerNumber
        ? step.activations
        : [],
    )
    .map(({ id, count }) => ({ id, count }))
}

/** Who holds what on the host now. */
async function loadReached({ request: { host, goals }, isNewHost }: SaveJob): Promise<Reached> {
  const customerNumber = goals[0]?.customerNumber ?? ''
  const [members, ...held] = await Promise.all([
    isNewHost ? [] : call(serverCustomers, { body: { customerNumber, ...hostFields(host) } }).catch(noneIfUnknown),
    ...goals.map(async (goal) => {
      const body = { customerNumber: goal.customerNumber, serverId: host.serverId, activeOnly: true }
      const rows = await call(serverEntitlements, { body })
      return rows.flatMap(({ ActivationId, AnsysFulfillments }) =>
        AnsysFulfillments.map((one) => ({
          ...one,
          customerNumber: goal.customerNumber,
          activationId: ActivationId,
        })),
      )
    }),
  ])
  return { members, held: held.flat() }
}

/** A host that was deleted meanwhile has no customers. */
function noneIfUnknown(error: unknown): never[] {
  if (hasCode(error, 'NOT_FOUND')) return []
  throw error
}
