import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { serverEnvironment } from '#server/embedded/cluster.ts'
import { stopPostmaster } from '#server/embedded/postmaster.ts'
import { giveTo, isRoot, postgresUser } from '#server/embedded/server-user.ts'
import { answers } from '#server/testing/answers.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

/** The oldest server that an installation may bring through DATABASE_URL; the places where distributions keep it. */
const FOLDERS = ['/usr/lib/postgresql/15/bin', '/usr/pgsql-15/bin', '/opt/homebrew/opt/postgresql@15/bin']

export function findPostgres15(): string | undefined {
  return FOLDERS.find((folder) => fs.existsSync(path.join(folder, 'initdb')))
}

/** A server for one test. */
export async function startPostgres15(binaries: string): Promise<pg.ClientConfig> {
  const user = isRoot() ? postgresUser() : undefined
  const directory = walkableDirectory('pg15')
  giveTo(user, directory)
  const home = path.join(directory, 'data')
  const options = { ...user, cwd: directory, env: serverEnvironment }
  const { status, stderr } = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', home, '-U', 'portal', '--auth=trust', '-E', 'UTF8', '--no-sync'],
    { ...options, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`initdb of PostgreSQL 15 failed: ${stderr}`)
  const server = spawn(
    path.join(binaries, 'postgres'),
    ['-D', home, '-k', directory, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    { ...options, stdio: 'ignore' },
  )
  onTestFinished(async () => {
    if (server.pid) await stopPostmaster(server.pid, console.error)
    fs.rmSync(directory, { recursive: true, force: true })
  })
  const connection = { host: directory, port: 5432, user: 'portal', database: 'postgres' }
  await until(() => answers(connection), 'PostgreSQL 15 did not start')
  return connection
}
