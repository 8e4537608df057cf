import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core'
import { IconDownload, IconTrash, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Task } from '#contract/tasks/tasks.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { countText, sizeText, timeText } from '#web/lib/format.ts'
import { kindOf, type TaskKind } from '#web/parts/tasks/task-kind.ts'
import { isUnfinished, removeTask, taskFileAddress, tasksQuery } from '#web/parts/tasks/tasks.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './task-list.module.css'

type Props = {
  tasks: readonly Task[]
  kinds: readonly TaskKind[]
  label: string
  /** Said where there are none. */
  empty?: string
  /** The answer to the last request. */
  answerId?: string | undefined
  onRemove?(task: Task): void
}

/** Background tasks with their progress and what can be done with each of them. */
export function TaskList({ tasks, kinds, label, empty, answerId, onRemove }: Props) {
  const queries = useQueryClient()
  const list = useRef<HTMLDivElement>(null)
  const reload = () => queries.invalidateQueries(tasksQuery)
  const remove = useMutation({
    mutationFn: removeTask,
    onSuccess: async (_, task) => {
      onRemove?.(task)
      await reload()
      // The pressed button has disappeared.
      list.current?.focus()
    },
  })
  return (
    <div ref={list} tabIndex={-1} className={classes.list}>
      {remove.error && (
        <SignalStrip signal="red" role="alert">
          {failureText(remove.error)}
        </SignalStrip>
      )}
      {tasks.length === 0 && empty}
      {tasks.length > 0 && (
        <ul className={classes.tasks} aria-label={label}>
          {tasks.map((task) => (
            <TaskLine
              key={task.id}
              task={task}
              kind={kindOf(kinds, task)}
              isAnswer={task.id === answerId}
              onRemove={() => remove.mutate(task)}
              // The browser fetches the file by itself; soon after, the server knows that it was downloaded.
              onDownload={() => setTimeout(reload, 1000)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type LineProps = {
  task: Task
  kind: Omit<TaskKind, 'kind'>
  isAnswer: boolean
  onRemove(): void
  onDownload(): void
}

function TaskLine({ task, kind, isAnswer, onRemove, onDownload }: LineProps) {
  const act = isUnfinished(task) ? 'Cancel' : 'Delete'
  const Icon = isUnfinished(task) ? IconX : IconTrash
  const askToRemove = async () => {
    const question = `Do you want to ${act.toLowerCase()} the ${kind.noun} “${task.fileName}”? ${consequence(task)}`
    if (await confirm(question, `${act} ${kind.noun}`)) onRemove()
  }
  return (
    <li className={classes.task} data-answer={isAnswer || undefined}>
      <div className={classes.about}>
        <Text fw={600}>{kind.title}</Text>
        <Text size="sm">
          {task.accountName} ({task.customerNumber})
        </Text>
        <Text size="sm" className={classes.request}>
          {kind.describe(task).join(' · ')}
        </Text>
        <Text size="sm" className={classes.state} data-failed={task.state === 'failed' || undefined}>
          {stateText(task, kind.unit)}
        </Text>
        {isUnfinished(task) && (
          <Progress
            className={classes.progress}
            value={task.total ? (task.done / task.total) * 100 : 0}
            animated={task.state === 'running'}
            aria-label={`Progress of ${task.fileName}`}
          />
        )}
        <Text size="xs" className={classes.origin}>
          Requested {timeText(task.requestedAt)} by {task.requestedBy}
        </Text>
      </div>
      <Group gap="0.25rem" flex="none" wrap="nowrap">
        {task.state === 'ready' && (
          <Button
            component="a"
            size="compact-sm"
            variant={task.downloadedAt === null ? 'filled' : 'default'}
            href={taskFileAddress(task)}
            download={task.fileName}
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={onDownload}
          >
            Download
          </Button>
        )}
        <Tooltip label={act}>
          <ActionIcon variant="subtle" color="gray" aria-label={`${act} ${task.fileName}`} onClick={askToRemove}>
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </li>
  )
}

function consequence(task: Task): string {
  if (isUnfinished(task)) return 'It has not finished and will be stopped.'
  return task.state === 'ready' ? 'You can no longer download its file after that.' : 'It has no file.'
}

function stateText({ state, done, total, bytes, keptUntil, failure }: Task, unit: string): string {
  switch (state) {
    case 'waiting':
      return 'Waiting to start'
    case 'running':
      return total === null ? `Counting ${unit}` : `${countText(done)} of ${countText(total)} ${unit} written`
    case 'ready':
      return `${countText(done)} ${unit}, ${sizeText(bytes)}, kept until ${timeText(keptUntil)}`
    case 'failed':
      return `Failed: ${failure}`
    case 'expired':
      return 'The file is no longer kept. You can request it again.'
  }
}
