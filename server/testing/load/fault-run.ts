import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { findBrokenPromises, isAtRest } from '#server/testing/load/broken-promises.ts'
import { Journal, writeUntil } from '#server/testing/load/journal.ts'
import { fillWorld, giveLoadKey, loadCatalog, signInPeople } from '#server/testing/load/load-world.ts'
import { PortalClient } from '#server/testing/load/portal-client.ts'
import { until } from '#server/testing/until.ts'

const WORLD = { leases: 2, hosts: 1, usage: 5 }
/** Milliseconds for plans and emails to end after the last write. */
const TIMEOUT = 180_000

export type FaultRun = {
  readonly journal: Journal
  /** Resolves when so many more writes were acknowledged. */
  hasWritten(more: number): Promise<void>
  /** Ends the writers, waits until plans and emails are done, and answers what was not kept. */
  end(db: Kysely<DB>): Promise<string[]>
}

/**
 * People and services that write without pause to a portal with an empty database: usage, orders, sessions, checkouts and
 * activations. Each retries what was not answered.
 */
export async function startWriters(db: Kysely<DB>, origin: string, { accounts = 3 } = {}): Promise<FaultRun> {
  await loadCatalog(db)
  const world = await fillWorld(db, origin, { accounts, ...WORLD })
  const people = world.flatMap((account) =>
    account.people.slice(0, 2).map((email, person) => ({ account, email, person })),
  )
  const cookies = await signInPeople(db, people)
  const journal = new Journal()
  const ending = new AbortController()
  const writers = await Promise.all(
    people.map(async ({ account, person }, at) => ({
      account,
      person,
      browser: new PortalClient(origin, { cookie: cookies[at] ?? '' }),
      service: new PortalClient(origin, await giveLoadKey(db, `writer ${at}`)),
    })),
  )
  // A writer that fails must be noticed at the end, not as an unhandled rejection before.
  const failures: string[] = []
  const writing = writers.map((writer) =>
    writeUntil(ending.signal, journal, writer).catch((error: Error) => void failures.push(error.message)),
  )
  return {
    journal,
    async hasWritten(more) {
      const goal = journal.promised.length + more
      await until(
        () => journal.promised.length >= goal || failures.length > 0,
        `no ${more} writes were acknowledged (${journal.lost} lost, ${journal.refused} refused)`,
        TIMEOUT,
      )
      if (failures.length > 0) throw new Error(failures.join('\n'))
    },
    async end(own) {
      ending.abort()
      await Promise.all(writing)
      for (const { browser, service } of writers) {
        browser.close()
        service.close()
      }
      await until(() => isAtRest(own), 'plans or emails did not end', TIMEOUT)
      return [...failures, ...(await findBrokenPromises(own, journal))]
    },
  }
}

/** One line for people who read the test's output. */
export function describeRun({ promised, lost, refused, unknown }: Journal): string {
  const counts = new Map<string, number>()
  for (const { kind } of promised) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const kinds = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')
  return `${promised.length} acknowledged writes (${kinds}), ${lost} answers lost, ${refused} answered "try again", ${unknown.length} given up`
}

/** Repeats an act with pauses of random length between, in milliseconds. */
export async function atRandomTimes(
  times: number,
  longest: number,
  act: (time: number) => Promise<void>,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    await sleep(Math.random() * longest)
    await act(time)
  }
}
