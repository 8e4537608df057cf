import fs from 'node:fs'
import os from 'node:os'
import type { OpenedDatabase } from '#bench/kit/database.ts'

/** What the figures were measured on: without it they say nothing. */
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

/** How busy the machine was with other things: beside a figure it says how far to trust it. */
export const busyness = () => os.loadavg()[0] ?? Number.NaN

/** Processor time of all backends of one database, in milliseconds; undefined where the kernel does not tell. */
export function databaseCpu(name: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  let ticks = 0
  for (const pid of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      if (!fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(` ${name} `)) continue
      const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // The process has just ended.
    }
  }
  return ticks * 10
}
