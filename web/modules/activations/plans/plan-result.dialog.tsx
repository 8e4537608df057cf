import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { countText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import classes from '#web/modules/activations/history/history.module.css'
import { fetchLastFile } from '#web/modules/activations/history/host-history.api.ts'
import { HostLink } from '#web/modules/activations/hosts/host-link.tsx'
import { nameOf } from '#web/modules/activations/plans/plan-texts.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type File = PlanPreview['files'][number]
type Props = { text: string; files: readonly File[]; filesLeftOut: number; onClose(): void }

/** After a plan: the license files that it has generated. */
export function PlanResultDialog({ text, files, filesLeftOut, onClose }: Props) {
  const [failure, setFailure] = useState<string>()
  const download = async ({ customerNumber, server }: File) => {
    setFailure(undefined)
    try {
      const { text, name } = await fetchLastFile(customerNumber, server as HostIdentity)
      saveFile(new Blob([text]), name)
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  return (
    <Dialog onClose={onClose} size={800} title="License files generated">
      <Text mb="0.75rem">{text} Copy each file to its license server and let the license manager read it.</Text>
      {failure && (
        <SignalStrip signal="red" role="alert">
          {failure}
        </SignalStrip>
      )}
      <ul className={classes.files} aria-label="New license files">
        {files.map((file) => (
          <li key={`${file.customerNumber} ${file.server.serverId}`}>
            <span>
              <HostLink host={file.server} />
              <span className={classes.below}>{file.licenseFileName}</span>
            </span>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden />}
              aria-label={`Download the license file of ${nameOf(file.server)}`}
              onClick={() => void download(file)}
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
      {filesLeftOut > 0 && (
        <Text size="sm" c="dimmed" mt="0.5rem">
          {countText(filesLeftOut)} more {filesLeftOut === 1 ? 'was' : 'were'} generated. You can download{' '}
          {filesLeftOut === 1 ? 'it from the row of its license server' : 'them from the rows of their license servers'}
          .
        </Text>
      )}
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  )
}
