import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { until } from '#server/testing/until.ts'

/** The options of Node with which `npm start` runs the portal. */
const NODE_OPTIONS = ['--min-semi-space-size=8', '--max-semi-space-size=16']

export type PortalProcess = {
  readonly origin: string
  readonly pid: number
  kill(): Promise<void>
  /** Stops the portal as a service manager does; returns the exit code. */
  stop(): Promise<number | null>
}

/** The real portal in a separate process on an existing database, to be killed without warning or stopped. */
export async function startPortalProcess(
  connection: ConnectionSettings,
  settings: Readonly<Record<string, string>> = {},
  directory = process.cwd(),
): Promise<PortalProcess> {
  const port = Number(settings.PORT ?? (await freePort()))
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-process-'))
  const child = spawn(process.execPath, [...NODE_OPTIONS, 'server/main.ts'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...CHILD_ENVIRONMENT,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(connection),
      // A provider that is never called: with it, no demo data is loaded.
      OIDC_ISSUER: 'http://127.0.0.1:9/',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'secret',
      LOG_LEVEL: 'silent',
      ...settings,
    },
  })
  const origin = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error('the portal did not start')
    return fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  }
  await until(isReady, 'the portal did not start').catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  const end = async (signal: NodeJS.Signals) => {
    await ended(child, signal)
    fs.rmSync(dataDir, { recursive: true, force: true })
    return child.exitCode
  }
  return {
    origin,
    pid: child.pid ?? 0,
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
