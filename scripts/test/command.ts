import { type ChildProcess, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

const CHECKOUT = join(import.meta.dirname, '..', '..')

export type Finished = { ok: boolean; output: string }

const running = new Set<ChildProcess>()

/**
 * Runs a program of this checkout to its end and keeps everything that it printed. The program gets its own process
 * group, so that a signal also ends the processes that it starts.
 */
export function run(command: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: CHECKOUT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...colors(), PATH: pinnedPath(), ...env },
    })
    running.add(child)
    const printed: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => printed.push(chunk))
    const finish = (ok: boolean, lastWords = '') => {
      running.delete(child)
      resolve({ ok, output: Buffer.concat(printed).toString() + lastWords })
    }
    child.on('error', (error) => finish(false, `${program} could not be started: ${error.message}\n`))
    child.on('close', (code, signal) => finish(code === 0, signal ? `${program} was ended by ${signal}\n` : ''))
  })
}

/** Sends a signal to every program that is still running. */
export function signalAll(signal: NodeJS.Signals): void {
  for (const child of running) {
    try {
      if (child.pid) process.kill(-child.pid, signal)
    } catch {
      // The program ended before the signal was sent.
    }
  }
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
