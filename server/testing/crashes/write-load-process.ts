import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'
import type { ServerUser } from '#server/embedded/server-user.ts'
import { CHILD_ENVIRONMENT } from '#server/testing/child-environment.ts'
import { until } from '#server/testing/until.ts'

type Ready = { connection: ConnectionSettings; adopted: boolean; where: string }
export type WriteLoadMessage = { ready: Ready } | { acknowledged: string } | { log: string } | { refused: string }

const SCRIPT = fileURLToPath(new URL('./write-load.ts', import.meta.url))

/** The test's end of `write-load.ts`. */
export class WriteLoadProcess {
  readonly acknowledged: string[] = []
  readonly log: string[] = []
  ready: Ready | undefined
  refused: string | undefined
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>

  constructor(dataDir: string, writers: number, user?: ServerUser) {
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
    this.#child = spawn(process.execPath, [SCRIPT, dataDir, String(writers)], {
      ...user,
      stdio,
      env: { ...process.env, ...CHILD_ENVIRONMENT },
    })
    this.#closed = once(this.#child, 'close')
    createInterface({ input: this.#child.stdout! }).on('line', (line) => this.#hear(JSON.parse(line)))
  }

  async isUp(): Promise<Ready> {
    await until(() => this.ready !== undefined || this.hasEnded(), 'the portal did not come up')
    if (!this.ready) throw new Error(`the portal ended: ${this.refused ?? 'without a word'}`)
    return this.ready
  }

  async hasWritten(more: number): Promise<void> {
    const goal = this.acknowledged.length + more
    await until(() => this.acknowledged.length >= goal, `no ${more} rows were written: ${this.log.join('; ')}`)
  }

  /** Resolves after the connection was lost the given number of times. */
  async databaseIsBack(times: number): Promise<void> {
    const returns = () => this.log.filter((line) => line === 'PostgreSQL is back').length
    await until(() => returns() >= times, `the database did not come back: ${this.log.join('; ')}`)
  }

  hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Resolves when the process has ended and all its output has been read. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal)
    await this.#closed
  }

  #hear(message: WriteLoadMessage): void {
    if ('acknowledged' in message) this.acknowledged.push(message.acknowledged)
    else if ('ready' in message) this.ready = message.ready
    else if ('log' in message) this.log.push(message.log)
    else this.refused = message.refused
  }
}
