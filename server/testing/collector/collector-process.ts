import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<ChildProcess>()

const COLLECTOR = [process.execPath, 'examples/license-collector/collector.ts']

/**
 * Starts the collector of examples/license-collector. Resolves when it has begun to work. `through`: a command that starts it.
 * `printed`: its output so far.
 */
export async function startCollector(env: NodeJS.ProcessEnv, through: readonly string[] = []) {
  const [command = '', ...words] = [...through, ...COLLECTOR]
  const child = spawn(command, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, CUSTOMER: '100001', INTERVAL_SECONDS: '0.02', ...env },
  })
  running.add(child)
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return Object.assign(child, { printed: () => output })
}

/** Kills the collectors that this file started at once, as a power cut does. For `afterEach`: none outlives its test. */
export async function killCollectors(): Promise<void> {
  const children = [...running]
  running.clear()
  await Promise.all(children.map(kill))
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
