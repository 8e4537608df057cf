import type { Upkeep } from '#contract/upkeep/upkeep.ts'
import { countText, timeText } from '#web/lib/format.ts'
import { AccountLink } from '#web/modules/upkeep/account-link.tsx'
import { FINE, Note, NotRead, type State, StateMark, UpkeepCard } from '#web/modules/upkeep/upkeep-card.tsx'
import { type Column, UpkeepTable } from '#web/modules/upkeep/upkeep-table.tsx'
import classes from './upkeep.module.css'

type Tasks = NonNullable<Upkeep['tasks']>
type Task = Tasks['tasks'][number]

export function TasksCard({ tasks }: { tasks: Upkeep['tasks'] }) {
  return (
    <UpkeepCard title="Background tasks" isWide state={tasks ? stateOf(tasks) : undefined}>
      {!tasks && <NotRead />}
      {tasks && tasks.lateJobs.length > 0 && (
        <Note>
          Nobody has worked on {tasks.lateJobs.join(', ')} for an hour. Check that a process of the portal is running.
        </Note>
      )}
      {tasks && tasks.failedJobs.length > 0 && (
        <Note>{tasks.failedJobs.join(', ')} gave up within a day. The log of the portal has the reason.</Note>
      )}
      {tasks && tasks.tasks.length === 0 && <Note>No task is waiting or running, and none has failed in 7 days.</Note>}
      {tasks && tasks.tasks.length > 0 && (
        <UpkeepTable label="Background tasks" rows={tasks.tasks} keyOf={({ id }) => id} columns={COLUMNS} />
      )}
    </UpkeepCard>
  )
}

function stateOf({ tasks, lateJobs, failedJobs }: Tasks): State {
  if (lateJobs.length > 0) return { signal: 'red', text: 'Late' }
  const failed = tasks.filter(({ state }) => state === 'failed').length
  if (failed > 0 || failedJobs.length > 0) return { signal: 'orange', text: failed > 0 ? `${failed} failed` : 'Failed' }
  return FINE
}

const STATES: Record<Task['state'], State> = {
  waiting: { signal: 'blue', text: 'Waiting' },
  running: { signal: 'blue', text: 'Running' },
  failed: { signal: 'red', text: 'Failed' },
}

const COLUMNS: readonly Column<Task>[] = [
  { label: 'Requested', isTime: true, cell: ({ requestedAt }) => timeText(requestedAt) },
  {
    label: 'Task',
    cell: ({ state, fileName, failure }) => (
      <>
        <StateMark {...STATES[state]} />
        {failure && <span className={classes.failure}>{failure}</span>}
        <span className={classes.second}>{fileName}</span>
      </>
    ),
  },
  { label: 'Owner', cell: ({ requestedBy }) => requestedBy },
  {
    label: 'Account',
    cell: ({ customerNumber, accountName }) => <AccountLink to="/home" number={customerNumber} name={accountName} />,
  },
  {
    label: 'Progress',
    isFigure: true,
    cell: ({ done, total }) => (total === null ? countText(done) : `${countText(done)} of ${countText(total)}`),
  },
]
