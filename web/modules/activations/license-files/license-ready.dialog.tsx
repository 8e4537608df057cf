import { Button, CopyButton, Group, Text, Title } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload, IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { hostParts, isTriad } from '#domain/activations/hosts/host.ts'
import { useSave } from '#web/form/use-save.ts'
import { unsavedText } from '#web/lib/api/api-error.ts'
import { sizeText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { sendLicenseFile } from '#web/modules/activations/activations.api.ts'
import { doneChanges, savedText } from '#web/modules/activations/plans/done-changes.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'
import type { SaveResult } from '#web/modules/activations/plans/use-save-flow.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './license-ready.module.css'

type Props = { job: SaveJob; result: SaveResult; supportEmail: string; onClose(): void }

/** After a save: the license file, and what to do with it. */
export function LicenseReadyDialog({ job, result, supportEmail, onClose }: Props) {
  const { file, fileName, licenseText } = result
  const done = savedText(doneChanges(job.changes, result.changes), job.request.host)
  if (!file || !fileName || licenseText === undefined)
    return (
      <Dialog onClose={onClose} title="Changes saved" size={600}>
        <Text mb="1rem">
          {done} Nothing is activated on this license server any more, so there is no license file. Remove the old file
          from it.
        </Text>
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            Close
          </Button>
        </Group>
      </Dialog>
    )
  return (
    <Dialog onClose={onClose} title="License file generated" size={800}>
      {done && <Text mb="0.5rem">{done}</Text>}
      <Text mb="1rem">
        <span className={classes.fileName}>{fileName}</span> ({sizeText(file.size)}) was downloaded.
        {result.mailedTo && ` It was also sent to ${result.mailedTo.join(', ')}.`}
      </Text>
      <FileActions job={job} name={fileName} text={licenseText} supportEmail={supportEmail} />
      <Title order={3} mt="1.25rem" mb="0.5rem">
        What to do next
      </Title>
      <NextSteps job={job} name={fileName} text={licenseText} />
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  )
}

type ActionsProps = { job: SaveJob; name: string; text: string; supportEmail: string }

function FileActions({ job, name, text, supportEmail }: ActionsProps) {
  const [sentTo, setSentTo] = useState<string>()
  const { host, goals } = job.request
  const { save, isSaving, error } = useSave({
    send: (_: undefined, idempotencyKey) =>
      sendLicenseFile({ customerNumber: goals[0]?.customerNumber ?? '', host, text, supportEmail }, idempotencyKey),
    success: 'The license file has been sent.',
    onSaved: setSentTo,
    // The dialog is above the panels.
    onFailed: () => true,
  })
  return (
    <>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile(new Blob([text]), name)}
        >
          Download
        </Button>
        <Button
          variant="default"
          leftSection={<IconMail size={16} aria-hidden />}
          loading={isSaving}
          onClick={() => save(undefined)}
        >
          Email
        </Button>
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <div className={classes.outcome}>
        {error ? (
          <SignalStrip signal="red" role="alert">
            {unsavedText(error, 'Nothing was sent.')}
          </SignalStrip>
        ) : (
          sentTo && (
            <SignalStrip signal="green" role="status">
              Sent to {sentTo}.
            </SignalStrip>
          )
        )}
      </div>
    </>
  )
}

/** Instructions for people who do this once a year. A file with node-locked licenses only has no SERVER line. */
function NextSteps({ job, name, text }: { job: SaveJob; name: string; text: string }) {
  const { host } = job.request
  const names = hostParts(host.serverName)
  if (!/^SERVER\s/m.test(text))
    return (
      <ol className={classes.steps}>
        <li>
          Copy <code>{name}</code> to {names.join(', ')}, into the license folder of the software.
        </li>
        <li>Start the software. These licenses need no license manager.</li>
      </ol>
    )
  return (
    <ol className={classes.steps}>
      <li>
        Copy <code>{name}</code> to {isTriad(host) ? `all three license servers: ${names.join(', ')}` : names[0]}.
        Replace the old file.
      </li>
      <li>
        Make the license manager read the new file: <code>lmutil lmreread -c {name}</code>.{' '}
        {isTriad(host) && 'On a triad, restart the license manager on each of the three, one after the other. '}
        If the license manager does not run yet, start it with <code>lmgrd -c {name}</code>.
      </li>
      <li>
        Check that the licenses are there: <code>lmutil lmstat -a -c {name}</code>.
      </li>
      <li>
        You may change host names, ports and paths in the file. Its licenses stay valid, and a check shows which lines
        were changed. Any other change makes licenses invalid.
      </li>
    </ol>
  )
}
