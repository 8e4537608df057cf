import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { postmasterPid } from '#server/embedded/postmaster.ts'
import { atRandomTimes, describeRun, startWriters } from '#server/testing/load/fault-run.ts'
import { openPortalDatabase, ownCluster } from '#server/testing/load/own-cluster.ts'
import { freePort, type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { usedDataDirectory } from '#server/testing/walkable-directory.ts'

const ROUNDS = 8
const MAX_PAUSE = 4_000

test('random kill -9 of the portal and of its embedded PostgreSQL under writers loses nothing and doubles nothing', async () => {
  const dataDir = usedDataDirectory('killed')
  const { connection } = await ownCluster(dataDir)
  const port = String(await freePort())
  const start = () => startPortalProcess(connection, { PORT: port, DATABASE_URL: '', DATA_DIR: dataDir })
  let portal: PortalProcess = await start()
  onTestFinished(() => portal.kill())
  const { db } = await openPortalDatabase(connection)
  const run = await startWriters(db, portal.origin)
  const victims: string[] = []
  await atRandomTimes(ROUNDS, MAX_PAUSE, async (round) => {
    await run.hasWritten(10)
    // The first two rounds make sure that each is hit.
    const victim = round < 2 ? round : Math.floor(Math.random() * 3)
    victims.push(['portal', 'PostgreSQL', 'both'][victim] ?? '')
    const postmaster = postmasterPid(path.join(dataDir, 'postgres'))
    if (victim !== 0 && postmaster) process.kill(postmaster, 'SIGKILL')
    if (victim === 1) return
    await portal.kill()
    portal = await start()
  })
  await run.hasWritten(20)
  const broken = await run.end(db)
  console.log(
    `killed: ${victims.join(', ')}; ${describeRun(run.journal)}; longest pause ${run.journal.longestPause()} ms`,
  )
  expect(broken).toEqual([])
})
