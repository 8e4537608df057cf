import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { postmasterPid } from '#server/embedded/postmaster.ts'
import { WriteLoadProcess } from '#server/testing/crashes/write-load-process.ts'
import { copyPristine, endServerIn, walkableDirectory } from '#server/testing/walkable-directory.ts'

export const VICTIMS = ['the portal', 'the database', 'both'] as const
export type Victim = (typeof VICTIMS)[number]

const WRITERS = 6

/**
 * Sends kill -9 during a write load, starts again as an operator would, and looks for every acknowledged row. Returns
 * how many there were and which are missing.
 */
export async function crashRounds(victim: Victim, rounds: number, seed: number) {
  const directory = walkableDirectory('crash')
  const dataDir = path.join(directory, 'data')
  copyPristine(dataDir)
  const random = randomFrom(seed)
  const acknowledged: string[] = []
  const missing = new Set<string>()
  let portal = new WriteLoadProcess(dataDir, WRITERS)
  try {
    for (let round = 0; round < rounds; round++) {
      const { where } = await portal.isUp()
      await portal.hasWritten(20 + Math.floor(random() * 400))
      if (victim !== 'the portal') process.kill(postmasterPid(where)!, 'SIGKILL')
      if (victim === 'the database') {
        await portal.databaseIsBack(round + 1)
      } else {
        await portal.end('SIGKILL')
        acknowledged.push(...portal.acknowledged)
        portal = new WriteLoadProcess(dataDir, WRITERS)
      }
      const { connection } = await portal.isUp()
      await portal.hasWritten(1)
      const promised = [...acknowledged, ...portal.acknowledged]
      for (const id of await findAbsent(promised, connection)) missing.add(id)
    }
    await portal.end('SIGTERM')
    acknowledged.push(...portal.acknowledged)
    return { acknowledged: acknowledged.length, missing: [...missing] }
  } finally {
    if (!portal.hasEnded()) await portal.end('SIGKILL')
    await endServerIn(path.join(dataDir, 'postgres'))
    fs.rmSync(directory, { recursive: true, force: true })
  }
}

async function findAbsent(ids: string[], connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from entry')
  await client.end()
  const present = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !present.has(id))
}

/** mulberry32: the same seed kills at the same moments of the load. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
