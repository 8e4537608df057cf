import type { Upkeep } from '#contract/upkeep/upkeep.ts'
import { countOf, countText, timeText } from '#web/lib/format.ts'
import { FINE, Note, NotRead, type State, StateMark, UpkeepCard } from '#web/modules/upkeep/upkeep-card.tsx'
import { type Column, UpkeepTable } from '#web/modules/upkeep/upkeep-table.tsx'
import classes from './upkeep.module.css'

type Process = NonNullable<Upkeep['processes']>[number]

export function ProcessesCard({ processes }: { processes: Upkeep['processes'] }) {
  const versions = new Set(processes?.map(({ version }) => version))
  return (
    <UpkeepCard title="Processes" state={processes ? processState(processes, versions.size) : undefined}>
      {!processes && <NotRead />}
      {versions.size > 1 && (
        <Note>
          {countOf(versions.size, 'version')} run at the same time. Finish the upgrade: restart the older ones.
        </Note>
      )}
      {processes && processes.length === 0 && <Note>No process has been seen within a minute.</Note>}
      {processes && processes.length > 0 && (
        <UpkeepTable label="Processes" rows={processes} keyOf={({ id }) => id} columns={PROCESS_COLUMNS} />
      )}
    </UpkeepCard>
  )
}

function processState(processes: readonly Process[], versions: number): State {
  if (versions > 1) return { signal: 'orange', text: `${versions} versions` }
  return processes.length > 0 ? FINE : { signal: 'orange', text: 'None seen' }
}

const PROCESS_COLUMNS: readonly Column<Process>[] = [
  {
    label: 'Process',
    cell: ({ machine, pid }) => (
      <>
        {machine} <span className={classes.second}>process {pid}</span>
      </>
    ),
  },
  { label: 'Version', cell: ({ version }) => version },
  {
    label: 'State',
    cell: ({ state }) =>
      state === 'ready' ? <StateMark signal="green" text="Ready" /> : <StateMark signal="blue" text="Ends soon" />,
  },
  { label: 'Since', isTime: true, cell: ({ startedAt }) => timeText(startedAt) },
]

type Node = NonNullable<Upkeep['nodes']>[number]

/** Not shown where there is one database server. */
export function NodesCard({ nodes }: { nodes: Upkeep['nodes'] }) {
  if (nodes?.length === 0) return null
  const lost = nodes?.filter(({ answers }) => !answers) ?? []
  const state: State = lost.length > 0 ? { signal: 'red', text: `${lost.length} lost` } : FINE
  return (
    <UpkeepCard title="Database nodes" isWide state={nodes ? state : undefined}>
      {!nodes && <NotRead />}
      {nodes && lost.length === 0 && <Note>{countOf(nodes.length, 'node')}, all answer.</Note>}
      {lost.length > 0 && (
        <>
          <Note>
            The accounts on these nodes cannot be used until the nodes are back. All other accounts can. Start the node,
            or promote its standby.
          </Note>
          <UpkeepTable label="Nodes that do not answer" rows={lost} keyOf={({ name }) => name} columns={NODE_COLUMNS} />
        </>
      )}
    </UpkeepCard>
  )
}

const NODE_COLUMNS: readonly Column<Node>[] = [
  { label: 'Node', cell: ({ name }) => name },
  { label: 'Accounts', isFigure: true, cell: ({ accountCount }) => countText(accountCount) },
  {
    label: 'Cannot be reached',
    cell: ({ accounts, accountCount }) =>
      accounts.map(({ customerNumber, accountName }) => `${accountName} (${customerNumber})`).join(', ') +
      (accountCount > accounts.length ? `, and ${countText(accountCount - accounts.length)} more` : ''),
  },
]

/** Characters of a statement that is folded. */
const SHOWN = 120

type Statement = NonNullable<Upkeep['statements']>['statements'][number]

const SOURCES = {
  pg_stat_statements:
    'From pg_stat_statements: statements of this database that take 100 ms or more on average, since its counters were reset.',
  portal:
    'Measured by the processes of the portal since they started: statements that took 100 ms or more, waiting for the answer included. Install the extension pg_stat_statements to see all statements of the database.',
} as const

export function StatementsCard({ statements }: { statements: Upkeep['statements'] }) {
  const count = statements?.statements.length ?? 0
  return (
    <UpkeepCard
      title="Slow statements"
      isWide
      state={statements ? (count > 0 ? { signal: 'blue', text: `${count} slow` } : FINE) : undefined}
    >
      {!statements && <NotRead />}
      {statements && <Note>{SOURCES[statements.source]}</Note>}
      {statements && count === 0 && <Note>No statement was slow.</Note>}
      {statements && count > 0 && (
        <UpkeepTable
          label="Slow statements"
          rows={statements.statements}
          keyOf={({ text }) => text}
          columns={STATEMENT_COLUMNS}
        />
      )}
    </UpkeepCard>
  )
}

const STATEMENT_COLUMNS: readonly Column<Statement>[] = [
  {
    label: 'Statement',
    cell: ({ text }) => (
      <details className={classes.statement}>
        <summary>
          <code>{text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}</code>
        </summary>
        <code>{text}</code>
      </details>
    ),
  },
  { label: 'Calls', isFigure: true, cell: ({ calls }) => countText(calls) },
  { label: 'Average (ms)', isFigure: true, cell: ({ meanMilliseconds }) => countText(meanMilliseconds) },
  { label: 'Longest (ms)', isFigure: true, cell: ({ maxMilliseconds }) => countText(maxMilliseconds) },
]
