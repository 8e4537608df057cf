import type { RecoveryRun, RecoveryRuns } from '#contract/upkeep/upkeep.ts'
import { formatDuration } from '#domain/upkeep/duration.ts'
import type { RunKind } from '#domain/upkeep/schedule.ts'
import { countOf, minuteText, sizeText } from '#web/lib/format.ts'
import { FINE, Note, NotRead, type State, StateMark, UpkeepCard } from '#web/modules/upkeep/upkeep-card.tsx'
import { type Column, UpkeepTable } from '#web/modules/upkeep/upkeep-table.tsx'
import { Facts } from '#web/ui/facts.tsx'
import classes from './upkeep.module.css'

const TEXTS = {
  backup: {
    title: 'Backups',
    none: 'No backup is known. Without one, everything is lost with the disk of the database.',
    late: 'The last backup is older than it should be. Run the command "backup", and look at the reason below.',
    unplanned: 'Not scheduled by the portal. Set BACKUP_AT, or let your scheduler run the command "backup".',
  },
  drill: {
    title: 'Drills',
    none: 'No backup was ever tried. A drill restores the newest one into a scratch database and checks it.',
    late: 'The last successful drill is older than it should be. Run the command "drill", and look at the reason below.',
    unplanned: 'Not scheduled by the portal. Set DRILL_AT, or let your scheduler run the command "drill".',
  },
} as const

export function RecoveryCard({ kind, runs }: { kind: RunKind; runs: RecoveryRuns | null }) {
  return (
    <UpkeepCard title={TEXTS[kind].title} state={runs ? stateOf(runs) : undefined}>
      {runs ? <Runs kind={kind} runs={runs} /> : <NotRead />}
    </UpkeepCard>
  )
}

function stateOf({ isLate, runs, lastSuccess }: RecoveryRuns): State {
  if (runs[0]?.state === 'failed') return { signal: 'red', text: 'Failed' }
  if (isLate) return { signal: 'orange', text: lastSuccess ? 'Late' : 'None yet' }
  return FINE
}

function Runs({ kind, runs }: { kind: RunKind; runs: RecoveryRuns }) {
  const texts = TEXTS[kind]
  const { lastSuccess, nextAt, schedule, isLate } = runs
  const facts = [
    ['Last success', lastSuccess ? minuteText(lastSuccess.begunAt) : 'None'],
    ['Next', nextAt ? `${minuteText(nextAt)} (${schedule} UTC)` : undefined],
    ['RPO', duration(lastSuccess?.recoveryPoint)],
    ['RTO', duration(lastSuccess?.recoveryTime)],
    ['Size', kind === 'backup' && lastSuccess?.bytes ? sizeText(lastSuccess.bytes) : undefined],
  ] as const
  return (
    <>
      <Facts facts={facts} layout="line" />
      {isLate && <Note>{lastSuccess ? texts.late : texts.none}</Note>}
      {schedule === null && <Note>{texts.unplanned}</Note>}
      {runs.runs.length > 0 && (
        <UpkeepTable
          label={texts.title}
          rows={runs.runs}
          keyOf={({ id }) => id}
          columns={kind === 'backup' ? BACKUP_COLUMNS : DRILL_COLUMNS}
        />
      )}
    </>
  )
}

const duration = (milliseconds: number | null | undefined) =>
  milliseconds === null || milliseconds === undefined ? undefined : formatDuration(milliseconds)

const BEGUN: Column<RecoveryRun> = { label: 'Begun', isTime: true, cell: ({ begunAt }) => minuteText(begunAt) }
const RESULT: Column<RecoveryRun> = { label: 'Result', cell: (run) => <Result run={run} /> }

const BACKUP_COLUMNS: readonly Column<RecoveryRun>[] = [
  BEGUN,
  RESULT,
  { label: 'Size', isFigure: true, cell: ({ bytes }) => (bytes === null ? '' : sizeText(bytes)) },
]
const DRILL_COLUMNS: readonly Column<RecoveryRun>[] = [
  BEGUN,
  RESULT,
  { label: 'RPO', isFigure: true, cell: ({ recoveryPoint }) => duration(recoveryPoint) ?? '' },
  { label: 'RTO', isFigure: true, cell: ({ recoveryTime }) => duration(recoveryTime) ?? '' },
]

const RESULTS: Record<RecoveryRun['state'], State> = {
  running: { signal: 'blue', text: 'Running' },
  done: { signal: 'green', text: 'Done' },
  failed: { signal: 'red', text: 'Failed' },
}

function Result({ run }: { run: RecoveryRun }) {
  const { state, file, failure, rows, machine, begunBy } = run
  const what = [
    file && fileName(file),
    rows !== null && countOf(rows, 'row'),
    machine && `on ${machine}`,
    `by ${begunBy}`,
  ]
  return (
    <>
      <StateMark {...RESULTS[state]} />
      {failure && <span className={classes.failure}>{failure}</span>}
      <span className={classes.second} title={file ?? undefined}>
        {what.filter(Boolean).join(' · ')}
      </span>
    </>
  )
}

const fileName = (file: string) => file.split(/[\\/]/).at(-1) ?? file
