import { parseArgs } from 'node:util'
import { SLOWNESS } from '#server/testing/slowness.ts'
import { signalAll } from './test/command.ts'
import { closingLine, stepLines } from './test/report.ts'
import { runSteps } from './test/run-steps.ts'
import { GROUPS, type Group, stepsOf } from './test/steps.ts'

const USAGE = `Usage: node scripts/test.ts [--full] [--only ${GROUPS.join(',')}]`

const { full, groups } = readArguments()
const interrupted = stopOnSignals()

if (SLOWNESS > 1) console.log(`This machine is slow or busy: time limits are ${SLOWNESS} times as long.`)
const total = await runSteps(
  stepsOf(groups, { full }),
  (step, outcome, seconds) => {
    for (const line of stepLines(step, outcome, seconds)) console.log(line)
  },
  interrupted,
)

if (interrupted.aborted) {
  console.log('Interrupted.')
  process.exitCode = 130
} else {
  console.log(closingLine(total))
  process.exitCode = total.failed > 0 ? 1 : 0
}

function readArguments(): { full: boolean; groups: readonly Group[] } {
  try {
    const { full, only } = parseArgs({
      options: { full: { type: 'boolean', default: false }, only: { type: 'string' } },
    }).values
    if (only !== undefined) return { full, groups: only.split(',').map(asGroup) }
    return { full, groups: full ? GROUPS : GROUPS.filter((group) => group !== 'long') }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    process.exit(2)
  }
}

function asGroup(name: string): Group {
  const group = GROUPS.find((one) => one === name)
  if (!group) throw new Error(`There is no group "${name}".`)
  return group
}

/** The first signal interrupts the children, as Ctrl-C does; the second one kills them. */
function stopOnSignals(): AbortSignal {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      signalAll(interruption.signal.aborted ? 'SIGKILL' : 'SIGINT')
      interruption.abort()
    })
  return interruption.signal
}
