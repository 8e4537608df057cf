import { Button, Group, Text } from '@mantine/core'
import { ConflictPanel } from '#web/form/conflict-panel.tsx'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { jobOver, seatDifferences, sharingText } from '#web/modules/activations/plans/save-conflict.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'
import type { SaveVersions } from '#web/modules/activations/plans/use-save-flow.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Props = {
  job: SaveJob
  versions: SaveVersions
  /** Drops the changes of this person. */
  onTheirs(): void
  onMine(job: SaveJob): void
  /** The changes stay on the screen. */
  onClose(): void
}

const CHANGED = 'Somebody else has changed this license server in the meantime.'

/** After a save that came second: both versions, and which one shall be kept. */
export function SaveConflictDialog({ job, versions, onTheirs, onMine, onClose }: Props) {
  const differences = seatDifferences(versions)
  const sharing = sharingText(versions)
  return (
    <Dialog onClose={onClose} size={800} title={`Both versions of ${nameOf(job.request.host)}`}>
      {sharing && <Text mb="0.75rem">{sharing}</Text>}
      {differences.length > 0 ? (
        <ConflictPanel
          conflict={{
            message: CHANGED,
            differences,
            resolve(choose) {
              const kept = jobOver(job, versions, choose)
              if (kept) onMine(kept)
              else onTheirs()
            },
          }}
        />
      ) : (
        <>
          <SignalStrip signal="orange" role="alert">
            {CHANGED} It already holds the seats that you wanted. Nothing was saved.
          </SignalStrip>
          <Group justify="flex-end" mt="lg">
            <Button data-autofocus onClick={onTheirs}>
              Show the current seats
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  )
}
