import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isRoot } from '#server/embedded/server-user.ts'
import { describeRun, startWriters } from '#server/testing/load/fault-run.ts'
import { openPortalDatabase, ownCluster } from '#server/testing/load/own-cluster.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'
import { copyPristine, removeDirectory, walkableDirectory } from '#server/testing/walkable-directory.ts'

const MEGABYTES = 300
/** Milliseconds for which the disk stays full. */
const FULL = 5_000

/** Takes all the room that is left. */
function fill(file: string): void {
  const handle = fs.openSync(file, 'w')
  const piece = Buffer.alloc(64 * 1024)
  try {
    for (;;) fs.writeSync(handle, piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    fs.closeSync(handle)
  }
}

test.runIf(isRoot() && process.platform === 'linux')(
  'a full disk refuses writes, and when there is room again everything acknowledged is there (needs root who may mount)',
  async () => {
    const disk = walkableDirectory('full')
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=755`, 'tmpfs', disk])
    onTestFinished(() => removeDirectory(disk))
    const dataDir = path.join(disk, 'data')
    copyPristine(dataDir)
    const { connection } = await ownCluster(dataDir)
    const portal = await startPortalProcess(connection, { DATABASE_URL: '', DATA_DIR: dataDir })
    onTestFinished(() => portal.kill())
    const { db } = await openPortalDatabase(connection)
    const run = await startWriters(db, portal.origin, { accounts: 2 })
    await run.hasWritten(50)
    const filler = path.join(disk, 'filler')
    fill(filler)
    const refused = run.journal.refused + run.journal.lost
    // The database has room in files that it has already: what it writes next needs more.
    await until(
      () => {
        fill(`${filler}-${Date.now()}`)
        return run.journal.refused + run.journal.lost > refused
      },
      'the full disk was not noticed',
      120_000,
    )
    await sleep(FULL)
    for (const name of fs.readdirSync(disk)) if (name.startsWith('filler')) fs.rmSync(path.join(disk, name))
    const freed = Date.now()
    await run.hasWritten(50)
    const broken = await run.end(db)
    console.log(
      `disk full for ${FULL} ms; ${describeRun(run.journal)}; first write ${run.journal.firstAfter(freed)} ms after there was room`,
    )
    expect(broken).toEqual([])
  },
)
