import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<ChildProcess>()

/** Starts the collector of examples/license-collector. Resolves when it has begun to work. */
export async function startCollector(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['examples/license-collector/collector.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, CUSTOMER: '100001', INTERVAL_SECONDS: '0.02', ...env },
  })
  running.add(child)
  await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
  child.stdout!.resume()
  return child
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
