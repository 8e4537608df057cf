import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, prepareSocketDirectory, serverEnvironment } from '#server/embedded/cluster.ts'
import { isRunning } from '#server/embedded/process-state.ts'
import { findOwner, giveTo } from '#server/embedded/server-user.ts'

const LARGEST_LOG = 16 * 1024 * 1024
/** A server that recovers from a crash may ignore a fast shutdown, so it is requested repeatedly, then forced. In milliseconds. */
const SHUTDOWN = { again: 1_000, atOnce: 20_000, longest: 60_000 }

/** `via` is a program that runs the server, such as setpriv; `overrides` are settings that differ from the product's. */
export type Launch = {
  readonly via?: readonly string[]
  readonly overrides?: Record<string, string>
  /** How many portals connect. */
  readonly processes?: number
}

export function launchPostmaster(
  cluster: Cluster,
  { via = [], overrides = {}, processes = 1 }: Launch = {},
): ChildProcess {
  const { home, user, connection } = cluster
  if (connection.host !== home) prepareSocketDirectory(connection.host, user)
  const [program = '', ...args] = [
    ...[...via, cluster.binaries.postgres, '-D', home, '-p', String(connection.port), '-k', connection.host],
    ...asArguments({ ...serverSettings(processes), ...overrides }),
  ]
  const output = openLog(cluster.logFile)
  // Detached, because Ctrl-C reaches the whole foreground group, and PostgreSQL must outlive the open requests. Its
  // output goes to a file, because a pipe would break when this process ends, and the server must survive that.
  const stdio: ['ignore', number, number] = ['ignore', output, output]
  const child = spawn(program, args, { ...user, detached: true, stdio, cwd: home, env: serverEnvironment })
  fs.closeSync(output)
  child.unref()
  return child
}

function openLog(file: string): number {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LARGEST_LOG) fs.renameSync(file, `${file}.1`)
  const log = fs.openSync(file, 'a', 0o600)
  // An operator's command run as root must not lock the portal's own user out of its log.
  giveTo(findOwner(path.dirname(file)), file)
  return log
}

export function lastComplaint(logFile: string): string {
  const lines = fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8').trimEnd().split('\n') : []
  return lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? 'it said nothing'
}

export function postmasterPid(home: string): number | undefined {
  try {
    return Number.parseInt(fs.readFileSync(path.join(home, 'postmaster.pid'), 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

/**
 * After a reboot, or in a new container, the pid in postmaster.pid may belong to something else, and PostgreSQL would
 * refuse for ever. A postmaster's working directory is its data directory, so a process with another one is no
 * postmaster. If the kernel does not tell, the file stays, and PostgreSQL's own check decides.
 */
export function removeStalePidFile(home: string, log: (line: string) => void): void {
  const pid = postmasterPid(home)
  if (!pid) return
  let workingDirectory: string
  try {
    workingDirectory = fs.readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return
  }
  if (workingDirectory === home) return
  log(`Removing ${path.join(home, 'postmaster.pid')}: process ${pid} is not this database`)
  fs.rmSync(path.join(home, 'postmaster.pid'), { force: true })
}

/**
 * Fast shutdown: open transactions are rolled back, everything committed is on disk, the process is gone. Immediate shutdown
 * after a while: committed work is in the log, and the next start recovers it.
 */
export async function stopPostmaster(
  pid: number,
  log: (line: string) => void,
  { again, atOnce, longest } = SHUTDOWN,
): Promise<void> {
  const begun = Date.now()
  let lastSent = 0
  while (isRunning(pid)) {
    const passed = Date.now() - begun
    if (passed > longest) return log(`PostgreSQL (process ${pid}) is still shutting down`)
    if (lastSent === 0 || Date.now() - lastSent > again) {
      lastSent = Date.now()
      send(pid, passed > atOnce ? 'SIGQUIT' : 'SIGINT')
    }
    await sleep(20)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended in the meantime.
  }
}

const MEGABYTE = 1024 * 1024

/** Settings of the embedded server: for a small machine with occasional bulk loads, and durable commits. */
function serverSettings(processes: number, memory = availableMemory()): Record<string, string> {
  const sharedBuffers = Math.max(32, Math.min(256, Math.floor(memory / MEGABYTE / 8)))
  return {
    // Nothing listens on the network, and only the server's own user and root can open the socket.
    listen_addresses: '',
    unix_socket_permissions: '0700',
    // A portal opens up to 33; the rest is for commands.
    max_connections: String(27 + 33 * processes),

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${sharedBuffers * 4}MB`,
    work_mem: '8MB',
    maintenance_work_mem: `${Math.max(32, Math.floor(sharedBuffers / 2))}MB`,
    random_page_cost: '1.1',
    jit: 'off',

    // Nobody replicates from the embedded server, so a bulk load may skip the log for tables that it has just made.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_buffers: '16MB',
    max_wal_size: '2GB',
    min_wal_size: '128MB',

    timezone: 'UTC',
    log_timezone: 'UTC',
    // The portal reports failed statements; their texts may hold personal data and must not be in a log file.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
}

/** In a container, the memory limit of the container counts, not the machine's memory. */
function availableMemory(): number {
  return Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

function asArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
