import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Task } from '#contract/tasks/tasks.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import type { TaskKind } from '#web/parts/tasks/task-kind.ts'
import { TaskList } from '#web/parts/tasks/task-list.tsx'
import { isUnfinished, tasksQuery } from '#web/parts/tasks/tasks.api.ts'
import { NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Props = {
  customerNumber: string
  kinds: readonly TaskKind[]
  /** How long a file can be downloaded. */
  keptDays: number
  total: number
  /** What the button exports: "3 transactions". */
  what: string
  /** Why an export that is there already would not change: "no usage has been received since". */
  unchanged: string
  start(): Promise<{ data: Task; reused?: boolean }>
  /** What has to be known before. */
  children?: ReactNode
  onClose(): void
}

/** Starts a background export, and shows those of this account. The toolbar shows them too, on every screen. */
export function ExportsDialog(props: Props) {
  const { customerNumber, kinds, keptDays, total, what, unchanged, children, onClose } = props
  const queries = useQueryClient()
  const isShown = (task: Task) => task.customerNumber === customerNumber && kinds.some(({ kind }) => kind === task.kind)
  const exports = useQuery({ ...tasksQuery, select: (tasks) => tasks.filter(isShown) })
  const start = useMutation({
    mutationFn: props.start,
    onSuccess: () => queries.invalidateQueries(tasksQuery),
  })
  return (
    <Dialog onClose={onClose} title="Background exports" size="lg">
      <Stack gap="md">
        {children}
        <Text c="dimmed">
          The portal creates the file while you continue to work. You can download it here, and from Background tasks in
          the toolbar, for {keptDays} days.
        </Text>
        {start.error && (
          <SignalStrip signal="red" role="alert">
            {failureText(start.error)}
          </SignalStrip>
        )}
        {start.data?.reused && (
          <SignalStrip signal="blue" role="status">
            {isUnfinished(start.data.data)
              ? 'You have requested this export already. It is still being created.'
              : `You have this export already, and ${unchanged}. You can download it below.`}
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <ReasonTooltip reason={total === 0 ? NOTHING_TO_EXPORT : undefined}>
            <Button loading={start.isPending} onClick={() => start.mutate()}>
              Export {what}
            </Button>
          </ReasonTooltip>
        </Group>
        {exports.error && <FailureNotice failure={exports.error} onRetry={() => void exports.refetch()} />}
        <TaskList
          tasks={exports.data ?? []}
          kinds={kinds}
          label="Your exports"
          answerId={start.data?.data.id}
          onRemove={({ id }) => id === start.data?.data.id && start.reset()}
        />
      </Stack>
    </Dialog>
  )
}
