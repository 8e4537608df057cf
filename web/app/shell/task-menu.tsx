import { ActionIcon, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconProgressDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { Task } from '#contract/tasks/tasks.ts'
import { isUnfinished, tasksQuery } from '#web/parts/tasks/tasks.api.ts'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './toolbar.module.css'

const AllTasks = lazy(async () => ({ default: (await import('#web/app/shell/all-tasks.tsx')).AllTasks }))

/** The way to the background tasks from every screen, as long as one runs or has a file to download. */
export function TaskMenu() {
  const { data: tasks } = useQuery(tasksQuery)
  const [isOpen, list] = useDisclosure(false)
  useNotices(tasks)
  const running = tasks?.filter(isUnfinished).length ?? 0
  const waiting = tasks?.filter(isWaitingForDownload).length ?? 0
  const isNeeded = tasks?.some((task) => task.state !== 'expired') ?? false
  if (!isNeeded && !isOpen) return null
  return (
    <Popover
      opened={isOpen}
      width="min(30rem, calc(100vw - 1rem))"
      onChange={(next) => !isQuestionOpen() && list.set(next)}
      position="bottom-end"
      withinPortal={false}
      className={classes.taskList}
      button={
        <ActionIcon
          className={classes.tasks}
          variant="subtle"
          color="gray"
          size={36}
          aria-label={labelOf(running, waiting)}
          onClick={list.toggle}
        >
          <IconProgressDown size={20} stroke={1.6} />
          {(running > 0 || waiting > 0) && (
            <span className={classes.badge} data-running={running > 0 || undefined} aria-hidden>
              {running || waiting}
            </span>
          )}
        </ActionIcon>
      }
    >
      <Title order={2} size="h4">
        Background tasks
      </Title>
      <Suspense fallback={<Spinner />}>
        <AllTasks />
      </Suspense>
    </Popover>
  )
}

/** The list stays open while it asks whether to delete a task. */
const isQuestionOpen = () => document.querySelector('[role=dialog][aria-modal=true]') !== null

const isWaitingForDownload = (task: Task) => task.state === 'ready' && task.downloadedAt === null

function labelOf(running: number, waiting: number): string {
  const news = [running > 0 && `${running} running`, waiting > 0 && `${waiting} ready to download`].filter(Boolean)
  return ['Background tasks', news.join(', ')].filter(Boolean).join(': ')
}

/** Reports the end of each task that was seen running. */
function useNotices(tasks: readonly Task[] | undefined): void {
  const unfinished = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!tasks) return
    for (const { id, state, fileName, failure } of tasks) {
      if (!unfinished.current.has(id)) continue
      if (state === 'ready')
        showPanel('success', `${fileName} is ready. You can download it from Background tasks in the toolbar.`)
      if (state === 'failed') showPanel('error', `${fileName} could not be created. ${failure}`)
    }
    unfinished.current = new Set(tasks.filter(isUnfinished).map(({ id }) => id))
  }, [tasks])
}
