import { Button, Group, Text } from '@mantine/core'
import { IconDownload, IconFileZip } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { countText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import classes from '#web/modules/activations/history/history.module.css'
import { fetchLastFile } from '#web/modules/activations/history/host-history.api.ts'
import ready from '#web/modules/activations/license-files/license-ready.module.css'
import { downloadPlanFiles } from '#web/modules/activations/plans/host-plan.api.ts'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type File = PlanPreview['files'][number]
type Props = {
  customerNumber: string
  planId: string
  text: string
  files: readonly File[]
  filesLeftOut: number
  onClose(): void
}

/** After a plan: the license files that it has generated. They are downloaded at once, several in a zip file. */
export function PlanResultDialog({ customerNumber, planId, text, files, filesLeftOut, onClose }: Props) {
  const [failure, setFailure] = useState<string>()
  const [downloaded, setDownloaded] = useState<string>()
  const isZip = files.length + filesLeftOut > 1
  const download = async (fetchAndSave: () => Promise<string>) => {
    setFailure(undefined)
    try {
      setDownloaded(await fetchAndSave())
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  const downloadFile = (file: File) => download(() => saveLastFile(file))
  const downloadAll = () => download(() => downloadPlanFiles(customerNumber, planId))
  const downloadAtOnce = useEffectEvent(() => {
    const [first] = files
    if (isZip) void downloadAll()
    else if (first) void downloadFile(first)
  })
  useEffect(() => downloadAtOnce(), [])
  return (
    <Dialog onClose={onClose} size={800} title="License files generated">
      <Text mb="0.75rem">
        {text}{' '}
        {downloaded && (
          <>
            <span className={ready.fileName}>{downloaded}</span> was downloaded.{' '}
          </>
        )}
        Copy each file to its license server, then restart or reread the license manager.
      </Text>
      {failure && (
        <SignalStrip signal="red" role="alert">
          {failure}
        </SignalStrip>
      )}
      {isZip && (
        <Button
          variant="default"
          leftSection={<IconFileZip size={16} aria-hidden />}
          onClick={() => void downloadAll()}
        >
          Download all (zip)
        </Button>
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
              onClick={() => void downloadFile(file)}
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
      {filesLeftOut > 0 && (
        <Text size="sm" c="dimmed" mt="0.5rem">
          {countText(filesLeftOut)} more {filesLeftOut === 1 ? 'was' : 'were'} generated.{' '}
          {filesLeftOut === 1 ? 'It is' : 'They are'} in the zip file.
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

async function saveLastFile({ customerNumber, server }: File): Promise<string> {
  const { text, name } = await fetchLastFile(customerNumber, server as HostIdentity)
  saveFile(new Blob([text]), name)
  return name
}
