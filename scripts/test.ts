import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SLOWNESS } from '#server/testing/slowness.ts'
import {
  closingLine,
  outcomeOf,
  slowestLines,
  stepLines,
  type Tally,
  tallyOfPlaywright,
  tallyOfVitest,
} from './test/tally.ts'

const GROUPS = ['lint', 'unit', 'server', 'e2e', 'long'] as const
type Group = (typeof GROUPS)[number]
type Step = {
  readonly group: Group
  readonly title: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Counts the tests of the runner's JSON report. Without it, the step counts as one test. */
  readonly tally?: () => Tally
}

const CHECKOUT = join(import.meta.dirname, '..')
const { full, groups } = readArguments()
const REPORTS = mkdtempSync(join(tmpdir(), 'test-reports-'))

/** The quickest answers first. */
const STEPS: readonly Step[] = [
  check('style', 'biome', 'check', '--error-on-warnings'),
  check('types', 'tsc', '-p', 'tsconfig.json'),
  check('types of the browser', 'tsc', '-p', 'web/tsconfig.json'),
  check('types of the journeys', 'tsc', '-p', 'e2e/tsconfig.json'),
  check('imports', 'node', 'scripts/test/check-imports.ts'),
  check('dead code', 'knip', '--no-progress'),
  vitest('unit'),
  vitest('server'),
  {
    group: 'e2e',
    title: 'browser journeys',
    command: ['playwright', 'test', '--reporter=dot,json'],
    // Playwright sets FORCE_COLOR for its workers, and Node warns when NO_COLOR is set as well.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('e2e'), NO_COLOR: '' },
    tally: () => tallyOfPlaywright(readReport('e2e')),
  },
  vitest('long'),
]

const running = new Set<ChildProcess>()
const total = { passed: 0, failed: 0 }
const files: NonNullable<Tally['files']>[number][] = []
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)

if (SLOWNESS > 1) console.log(`This machine is slow or busy: time limits are ${SLOWNESS} times as long.`)
const chosen = STEPS.filter(({ group }) => groups.includes(group))
const isQuick = ({ group }: Step) => group === 'lint' || group === 'unit'
// The machines that this runs on have two cores at least. What keeps both of them busy by itself runs alone.
const quick = chosen.filter(isQuick).values()
await Promise.all([runEach(quick), runEach(quick)])
await runEach(chosen.filter((step) => !isQuick(step)))
rmSync(REPORTS, { recursive: true })
if (files.length) console.log(['The slowest files:', ...slowestLines(files)].join('\n'))
console.log(isInterrupted ? 'Interrupted.' : closingLine(total))
process.exitCode = isInterrupted ? 130 : Math.min(total.failed, 1)

async function runEach(steps: Iterable<Step>): Promise<void> {
  for (const step of steps) if (!isInterrupted) await run(step)
}

/** Runs a step to its end, even if others have failed, and prints what became of it. */
async function run({ title, command, env, tally }: Step): Promise<void> {
  const began = performance.now()
  const [program = '', ...args] = command
  // A process group of its own, so that a signal also ends the processes that it starts.
  const child = spawn(program, args, {
    cwd: CHECKOUT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...colors(), PATH: pinnedPath(), ...(full ? { FULL: '1' } : {}), ...env },
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const isOk = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output += `${program} could not be started: ${error.message}`
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
  running.delete(child)
  if (isInterrupted) return
  const outcome = outcomeOf(isOk, tally)
  total.passed += outcome.passed
  total.failed += outcome.failed
  files.push(
    ...(outcome.files ?? []).map((file) => ({ ...file, name: relative(CHECKOUT, resolve(CHECKOUT, file.name)) })),
  )
  for (const line of stepLines(title, outcome, output, (performance.now() - began) / 1000)) console.log(line)
}

/** The first signal interrupts the children, as Ctrl-C does; the second one kills them. */
function interrupt(): void {
  for (const { pid } of running) {
    try {
      if (pid) process.kill(-pid, isInterrupted ? 'SIGKILL' : 'SIGINT')
    } catch {
      // The program ended before the signal was sent.
    }
  }
  isInterrupted = true
}

function check(title: string, ...command: string[]): Step {
  return { group: 'lint', title, command }
}

function vitest(group: 'unit' | 'server' | 'long'): Step {
  // The minimal reporter prints failures only: thousands of passed tests would hide them.
  const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${reportOf(group)}`]
  const command = ['vitest', 'run', `--project=${group}`, '--allowOnly=false', ...reporters]
  return { group, title: `${group} tests`, command, tally: () => tallyOfVitest(readReport(group)) }
}

function reportOf(group: Group): string {
  return join(REPORTS, `${group}.json`)
}

function readReport<R>(group: Group): R {
  return JSON.parse(readFileSync(reportOf(group), 'utf8'))
}

/** Puts the Node and the tools of the lockfile before those of the machine. */
function pinnedPath(): string {
  return [join(CHECKOUT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter)
}

/** Programs write to a pipe and cannot see whether their output ends on a terminal. */
function colors(): Record<string, string> {
  if (process.env.NO_COLOR || process.env.FORCE_COLOR) return {}
  return process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
}

function readArguments(): { full: boolean; groups: readonly Group[] } {
  try {
    const { full, only } = parseArgs({
      options: { full: { type: 'boolean', default: false }, only: { type: 'string' } },
    }).values
    const unknown = only?.split(',').find((name) => !(GROUPS as readonly string[]).includes(name))
    if (unknown !== undefined) throw new Error(`There is no group "${unknown}".`)
    return { full, groups: GROUPS.filter((group) => only?.split(',').includes(group) ?? (full || group !== 'long')) }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}`)
    console.error(`Usage: node scripts/test.ts [--full] [--only ${GROUPS.join(',')}]`)
    process.exit(2)
  }
}
