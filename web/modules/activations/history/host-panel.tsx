import { Group, Title } from '@mantine/core'
import { HistoryTree } from '#web/modules/activations/history/history-tree.tsx'
import type { HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'
import type { HostRow } from '#web/modules/activations/history/host-history.api.ts'
import { HostTimeline } from '#web/modules/activations/history/host-timeline.tsx'
import { FileButtons } from '#web/modules/activations/license-files/file-buttons.tsx'
import classes from './history.module.css'

type Props = { customerNumber: string; host: HostRow; filter: string; onDialog(dialog: HostDialog): void }

/** Below an open host: its history as a tree, and a timeline of who did what. */
export function HostPanel({ customerNumber, host, filter, onDialog }: Props) {
  return (
    <div className={classes.panel}>
      <section className={classes.tree} aria-label={`History of ${host.serverName}`}>
        <Group justify="space-between" mb={8} gap="xs">
          <Title order={3}>History</Title>
          <FileButtons host={host} onDialog={onDialog} />
        </Group>
        <HistoryTree customerNumber={customerNumber} host={host} filter={filter} />
      </section>
      <HostTimeline customerNumber={customerNumber} host={host} />
    </div>
  )
}
