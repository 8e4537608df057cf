import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UsageFormat } from '#contract/elastic/usage/usage-exports.ts'
import type { Task } from '#contract/tasks/tasks.ts'
import { EXPORT_KEPT_DAYS, MAX_EXPORT, TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage/usage-export.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { startExport } from '#web/modules/elastic/usage/usage.api.ts'
import { usageExportKinds } from '#web/modules/elastic/usage/usage-export.kind.ts'
import { NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { TaskList } from '#web/ui/tasks/task-list.tsx'
import { isUnfinished, tasksQuery } from '#web/ui/tasks/tasks.api.ts'

type Props = { filter: FilterInput; format: UsageFormat; total: number; onClose(): void }

const isUsageExport = ({ kind }: Task) => usageExportKinds.some((one) => one.kind === kind)

/** Starts a background export, and shows those of this account. The toolbar shows them too, on every screen. */
export function UsageExportsDialog({ filter, format, total, onClose }: Props) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const exports = useQuery({
    ...tasksQuery,
    select: (tasks) => tasks.filter((task) => isUsageExport(task) && task.customerNumber === number),
  })
  const start = useMutation({
    mutationFn: () => startExport(number, filter, format),
    onSuccess: () => queries.invalidateQueries(tasksQuery),
  })
  return (
    <Dialog onClose={onClose} title="Background exports" size="lg">
      <Stack gap="md">
        {total > MAX_EXPORT && (
          <SignalStrip signal="orange" role="status">
            {TOO_MANY_TRANSACTIONS} Or export all of them in the background.
          </SignalStrip>
        )}
        <Text c="dimmed">
          The portal creates the file while you continue to work. You can download it here, and from Background tasks in
          the toolbar, for {EXPORT_KEPT_DAYS} days.
        </Text>
        {start.error && (
          <SignalStrip signal="red" role="alert">
            {failureText(start.error)}
          </SignalStrip>
        )}
        {start.data?.reused && (
          <SignalStrip signal="blue" role="status">
            {reuseText(start.data.data)}
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <ReasonTooltip reason={total === 0 ? NOTHING_TO_EXPORT : undefined}>
            <Button loading={start.isPending} onClick={() => start.mutate()}>
              Export {countOf(total, 'transaction')}
              {format === 'pdf' && ' as PDF for finance'}
            </Button>
          </ReasonTooltip>
        </Group>
        {exports.error && <FailureNotice failure={exports.error} onRetry={() => void exports.refetch()} />}
        <TaskList
          tasks={exports.data ?? []}
          kinds={usageExportKinds}
          label="Your exports"
          answerId={start.data?.data.id}
          onRemove={({ id }) => id === start.data?.data.id && start.reset()}
        />
      </Stack>
    </Dialog>
  )
}

function reuseText(existing: Task): string {
  if (isUnfinished(existing)) return 'You have requested this export already. It is still being created.'
  return 'You have this export already, and no usage has been received since. You can download it below.'
}
