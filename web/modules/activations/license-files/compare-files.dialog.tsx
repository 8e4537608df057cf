import { Button, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { differenceText } from '#domain/activations/license-files/difference-text.ts'
import { timeText } from '#web/lib/format.ts'
import { licenseFilesQuery } from '#web/modules/activations/activations.api.ts'
import classes from '#web/modules/activations/history/history.module.css'
import { differenceQuery } from '#web/modules/activations/history/host-history.api.ts'
import { LicenseLines } from '#web/modules/activations/license-files/license-lines.tsx'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type View = 'Changes' | 'Whole file'
type Props = { customerNumber: string; host: HostIdentity; onClose(): void }

/** Any two license files of a host, line by line. The newest and the one before it to begin with. */
export function CompareFilesDialog({ customerNumber, host, onClose }: Props) {
  const files = useQuery(licenseFilesQuery(customerNumber, host.serverId))
  const [chosen, setChosen] = useState<{ before?: string; after?: string }>({})
  const [view, setView] = useState<View>('Changes')
  const list = files.data ?? []
  const after = chosen.after ?? list[0]?.id ?? ''
  const before = chosen.before ?? list[1]?.id ?? list[0]?.id ?? ''
  const difference = useQuery(differenceQuery(customerNumber, before, after))
  const options = list.map((file) => ({
    value: file.id,
    label: `${timeText(file.generatedAt)} by ${file.generatedBy}`,
  }))
  const failure = files.error ?? difference.error
  return (
    <Dialog onClose={onClose} size={1200} title={`License files of ${host.serverName.replaceAll(',', ', ')}`}>
      {failure ? (
        <FailureNotice failure={failure} onRetry={() => void (files.error ? files.refetch() : difference.refetch())} />
      ) : !files.data ? (
        <Spinner />
      ) : list.length === 0 ? (
        <Text mb="0.75rem">No license file was generated for this license server yet.</Text>
      ) : (
        <>
          <div className={classes.compare}>
            <NativeSelect
              label="Earlier file"
              data={options}
              value={before}
              onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, before: value })}
            />
            <NativeSelect
              label="Later file"
              data={options}
              value={after}
              onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, after: value })}
            />
          </div>
          {difference.data ? (
            <>
              <Group justify="space-between" mb={8}>
                <Text span size="sm" c="dimmed">
                  {differenceText(difference.data.summary)}
                </Text>
                <SegmentedControl
                  size="xs"
                  data={['Changes', 'Whole file']}
                  value={view}
                  onChange={(value) => setView(value as View)}
                  aria-label="Part of the license file to show"
                />
              </Group>
              <LicenseLines entries={difference.data.entries} isWhole={view === 'Whole file'} />
            </>
          ) : (
            <Spinner text="Comparing license files..." />
          )}
        </>
      )}
      <Group justify="flex-end" mt="md" className={confirm.buttons}>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  )
}
