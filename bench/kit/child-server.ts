import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The figures that a measured server reports about itself. */
export type Usage = {
  readonly cpuMilliseconds: number
  readonly rss: number
  /** Longest time, in milliseconds, that the event loop was blocked since these figures were last requested. */
  readonly longestBlock: number
}

export type ServerUnderTest = {
  readonly name: string
  readonly port: number
  usage(): Promise<Usage>
  stop(): Promise<void>
}

/** The setting of `npm start`: objects of a large request fit into the young generation and are not promoted. */
const NODE_OPTIONS = ['--min-semi-space-size=8', '--max-semi-space-size=16']

/** Each server is a separate process, so that its CPU time and memory can be measured. */
export async function startServer(name: string, module: string, settings: object): Promise<ServerUnderTest> {
  const child = fork(new URL(`../${module}`, import.meta.url), [JSON.stringify(settings)], {
    execArgv: NODE_OPTIONS,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production' },
  })
  const [{ port }] = (await Promise.race([once(child, 'message'), failing(child, name)])) as [{ port: number }]
  return {
    name,
    port,
    async usage() {
      const answer = once(child, 'message')
      child.send('usage')
      return ((await answer) as [Usage])[0]
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

async function failing(child: ChildProcess, name: string): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`${name} ended with ${code} before it was ready`)
}

/** Runs in the child process: what every measured server does once it listens. */
export function reportAsChild(port: number): void {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({
      cpuMilliseconds: (user + system) / 1000,
      rss: process.memoryUsage.rss(),
      longestBlock: delays.max / 1e6,
    } satisfies Usage)
    delays.reset()
  })
  process.on('SIGTERM', () => process.exit(0))
  process.send?.({ port })
}

/** The settings that the parent has passed on. */
export function settingsOfChild<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T
}
