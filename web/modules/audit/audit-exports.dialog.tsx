import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { AUDIT_EXPORT } from '#contract/audit/audit.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { countText } from '#web/lib/format.ts'
import { startExport } from '#web/modules/audit/audit.api.ts'
import { auditExportKinds } from '#web/modules/audit/audit-export.kind.ts'
import { NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { TaskList } from '#web/ui/tasks/task-list.tsx'
import { tasksQuery } from '#web/ui/tasks/tasks.api.ts'

type Props = { customerNumber: string; filter: FilterInput; total: number; onClose(): void }

/** Starts a background export of the log, and shows those of this account. */
export function AuditExportsDialog({ customerNumber, filter, total, onClose }: Props) {
  const queries = useQueryClient()
  const exports = useQuery({
    ...tasksQuery,
    select: (tasks) => tasks.filter((task) => task.kind === AUDIT_EXPORT && task.customerNumber === customerNumber),
  })
  const start = useMutation({
    mutationFn: () => startExport(customerNumber, filter),
    onSuccess: () => queries.invalidateQueries(tasksQuery),
  })
  return (
    <Dialog onClose={onClose} title="Background exports" size="lg">
      <Stack gap="md">
        <Text c="dimmed">
          The portal creates the file while you continue to work. You can download it here, and from Background tasks in
          the toolbar.
        </Text>
        {start.error && (
          <SignalStrip signal="red" role="alert">
            {failureText(start.error)}
          </SignalStrip>
        )}
        {start.data?.reused && (
          <SignalStrip signal="blue" role="status">
            You have this export already.
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <ReasonTooltip reason={total === 0 ? NOTHING_TO_EXPORT : undefined}>
            <Button loading={start.isPending} onClick={() => start.mutate()}>
              Export {countText(total)} {total === 1 ? 'entry' : 'entries'}
            </Button>
          </ReasonTooltip>
        </Group>
        {exports.error && <FailureNotice failure={exports.error} onRetry={() => void exports.refetch()} />}
        <TaskList
          tasks={exports.data ?? []}
          kinds={auditExportKinds}
          label="Your exports"
          answerId={start.data?.data.id}
          onRemove={({ id }) => id === start.data?.data.id && start.reset()}
        />
      </Stack>
    </Dialog>
  )
}
