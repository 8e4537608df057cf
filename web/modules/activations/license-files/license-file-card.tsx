import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconDownload, IconFileCheck, IconGitCompare, IconMail } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LicenseFile } from '#contract/activations/license-files/license-files.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { unmanagedWarning } from '#domain/activations/hosts/shared-server.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import {
  downloadLicenseFile,
  type KnownServer,
  type Member,
  sendLicenseFile,
} from '#web/modules/activations/activations.api.ts'
import type { HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'
import { FileButtons } from '#web/modules/activations/license-files/file-buttons.tsx'
import { REASONS } from '#web/modules/activations/license-files/license-files.dialog.tsx'
import { LicensePreview } from '#web/modules/activations/license-files/license-preview.tsx'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { reloadHistory } from '#web/modules/activations/plans/host-plan.api.ts'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { createSaveJob, type SaveJob } from '#web/modules/activations/plans/save-job.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Props = {
  server: KnownServer
  /** The last one. */
  file: LicenseFile | undefined
  members: readonly Member[]
  onDialog(dialog: HostDialog): void
}

/** The license file of a host: whether it is up to date, and what can be done with it. */
export function LicenseFileCard({ server, file, members, onDialog }: Props) {
  const { number, name, info } = useKnownCustomer()
  const mayChange = useCan('activations.write')
  const queries = useQueryClient()
  const [compared, setCompared] = useState<SaveJob>()
  const { serverName, serverId, serverIdType, state, isOutOfDate, isBorrowable, deletedAt } = server
  const generate = useSave({
    send: (_: undefined, idempotencyKey) =>
      call('fulfillments/license', {
        body: { customerNumber: number, serverName, serverId, serverIdType },
        idempotencyKey,
      }),
    success: 'The license file has been generated. Download it and copy it to the license server.',
    notDone: 'No license file was generated.',
    onSaved: () => reloadHistory(queries),
  })
  const email = useSave({
    send: (_: undefined, idempotencyKey) =>
      sendLicenseFile({ customerNumber: number, host: server, supportEmail: info.supportEmail }, idempotencyKey),
    success: (sentTo) => `The license file has been sent to ${sentTo}.`,
    notDone: 'Nothing was sent.',
    onSaved: () => reloadHistory(queries),
  })
  const compare = () => {
    const inFile = members.filter(({ customerNumber, isManaged, isApproved }) => {
      return customerNumber !== number && isManaged && isApproved
    })
    const customers = [
      { customerNumber: number, customerName: name },
      ...inFile.map(({ customerNumber, customerName }) => ({ customerNumber, customerName: customerName ?? '' })),
    ]
    setCompared(createSaveJob({ button: 'generate', host: server, customers, changes: [], isBorrowable }))
  }
  const download = (id: string) =>
    downloadLicenseFile(number, id).catch((error) => showPanel('error', failureText(error)))
  const readOnly = mayChange ? undefined : NOT_ENOUGH_PERMISSIONS
  const noFile = file ? undefined : 'There is no license file yet.'
  const noSeats = state === 'Active' ? undefined : 'No products are activated on this license server.'
  const warning = mayChange ? unmanagedWarning(members) : undefined
  return (
    <Paper component="section" p="1rem" aria-label="License file">
      <Group justify="space-between" gap="0.5rem 1rem" mb="0.5rem">
        <Group gap="0.75rem">
          <Title order={2}>License file</Title>
          <FileState server={server} file={file} />
        </Group>
        <Group gap="0.5rem">
          {isOutOfDate && !deletedAt && (
            <ReasonTooltip reason={readOnly}>
              <Button variant="default" leftSection={<IconGitCompare size={16} aria-hidden />} onClick={compare}>
                Show difference
              </Button>
            </ReasonTooltip>
          )}
          <ReasonTooltip reason={noFile}>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => file && void download(file.id)}
            >
              Download
            </Button>
          </ReasonTooltip>
          {!deletedAt && (
            <>
              <ReasonTooltip reason={readOnly ?? noFile}>
                <Button
                  variant="default"
                  leftSection={<IconMail size={16} aria-hidden />}
                  loading={email.isSaving}
                  onClick={() => email.save(undefined)}
                >
                  Email
                </Button>
              </ReasonTooltip>
              <ReasonTooltip reason={readOnly ?? noSeats}>
                <Button
                  variant={isOutOfDate ? 'filled' : 'default'}
                  leftSection={<IconFileCheck size={16} aria-hidden />}
                  loading={generate.isSaving}
                  onClick={() => generate.save(undefined)}
                >
                  Generate license file
                </Button>
              </ReasonTooltip>
            </>
          )}
        </Group>
      </Group>
      {warning && !deletedAt && (
        <SignalStrip signal="orange" role="status">
          {warning}
        </SignalStrip>
      )}
      <Group justify="space-between" gap="0.25rem 1rem">
        <Text c="dimmed" size="sm" className="figures">
          {file ? (
            <>
              <span className="id">{file.licenseFileName}</span> · {timeText(file.generatedAt)} by {file.generatedBy} ·{' '}
              {REASONS[file.reason]}
            </>
          ) : (
            'No license file was generated for this license server yet.'
          )}
        </Text>
        <FileButtons host={server} onDialog={onDialog} />
      </Group>
      {compared && (
        <Dialog size={1200} title={`New license file of ${nameOf(server)}`} onClose={() => setCompared(undefined)}>
          <LicensePreview job={compared} />
          <Group justify="flex-end" mt="lg" gap="xs" className={confirm.buttons}>
            <Button variant="default" onClick={() => setCompared(undefined)}>
              Cancel
            </Button>
            <Button
              data-autofocus
              onClick={() => {
                setCompared(undefined)
                generate.save(undefined)
              }}
            >
              Generate license file
            </Button>
          </Group>
        </Dialog>
      )}
    </Paper>
  )
}

function FileState({ server: { isOutOfDate, state }, file }: Pick<Props, 'server' | 'file'>) {
  if (isOutOfDate) return <SignalDot signal="orange">Out of date</SignalDot>
  if (!file) return null
  return <Badge variant="default">{state === 'Active' ? 'Up to date' : 'Not in use'}</Badge>
}
