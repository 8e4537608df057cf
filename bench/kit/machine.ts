import fs from 'node:fs'
import os from 'node:os'
import type { OpenedDatabase } from '#bench/kit/database.ts'

/** The machine on which the figures were measured. */
export async function describeMachine({ pool }: OpenedDatabase): Promise<string> {
  const { rows } = await pool.query('show server_version')
  const postgres = Object.values(rows[0] ?? {})[0]
  const [cpu] = os.cpus()
  const gigabytes = Math.round(os.totalmem() / 2 ** 30)
  return [
    `${os.cpus().length} × ${cpu?.model.trim() || 'processor of unknown model'} (${os.arch()})`,
    `${gigabytes} GiB`,
    `${os.type()} ${os.release()}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgres}, embedded, with the product's own settings`,
  ].join(', ')
}

/** The load average, printed next to a figure to show how far to trust it. */
export const busyness = () => os.loadavg()[0] ?? Number.NaN

/**
 * Processor time that PostgreSQL has used so far, in milliseconds; not a number where the kernel does not tell.
 * Includes sessions that have ended: the process that started them keeps their time.
 */
export async function databaseCpu({ pool }: OpenedDatabase): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = statOf(rows[0]?.pid ?? 0)?.parent ?? 0
  const running = fs
    .readdirSync('/proc')
    .flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
    .filter(({ parent }) => parent === postmaster)
  const { own = Number.NaN, ofEnded = Number.NaN } = statOf(postmaster) ?? {}
  return running.reduce((sum, process) => sum + process.own, own + ofEnded)
}

/** Processor time of one process so far, in milliseconds. */
export const processCpu = (pid: number): number => statOf(pid)?.own ?? Number.NaN

/** Resident memory of one process, in megabytes. */
export function processMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** The kernel counts in hundredths of a second. */
const TICK = 10

/** What the kernel says of a process: its parent, its own processor time and that of its children that have ended. */
function statOf(pid: number): { parent: number; own: number; ofEnded: number } | undefined {
  try {
    // The name in parentheses may hold anything; after it come the state, the parent, …
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { parent: fields[1] ?? 0, own: (user + system) * TICK, ofEnded: (endedUser + endedSystem) * TICK }
  } catch {
    // The process has just ended.
    return undefined
  }
}
