import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { type Placement, placementOf } from '#server/scale-out/placement.ts'
import {
  countRows,
  distributeFunctions,
  dropCopiedRows,
  findCluster,
  findUsageSums,
  hasKeptKeys,
  listPlaced,
  listTablesAndMonths,
  listWholeTables,
  placeTable,
  resumeKeys,
  suspendKeys,
  switchTriggers,
} from '#server/scale-out/shard.queries.ts'

/** The installation cannot be sharded; the text says what to do. */
class ShardError extends Error {}

export type ShardStep = { readonly table: string; readonly placement: Placement; readonly rows: number }
export type ShardPlan = {
  readonly workers: number
  /** What is still to be moved, in this order. */
  readonly steps: readonly ShardStep[]
  /** A run before this one has ended within. */
  readonly isBegun: boolean
  readonly isDone: boolean
}

/** What `shard` would do to this database. */
export async function planSharding(db: Kysely<DB>): Promise<ShardPlan> {
  const { version, workers } = await findCluster(db)
  if (version === null)
    throw new ShardError(
      'This database has no Citus. Create the extension on the coordinator and on every worker first.',
    )
  if (workers === 0)
    throw new ShardError('The coordinator knows no node for shards. Add the workers first (citus_add_node).')
  const [placed, tables, isBegun] = [await listPlaced(db), await listWholeTables(db), await hasKeptKeys(db)]
  const steps: ShardStep[] = []
  for (const table of tables.filter((one) => !placed.has(one)))
    steps.push({ table, placement: placementOf(table), rows: await countRows(db, table) })
  const turn: Placement[] = ['reference', 'customer', 'local']
  steps.sort((a, b) => turn.indexOf(a.placement) - turn.indexOf(b.placement))
  return { workers, steps, isBegun, isDone: steps.length === 0 && !isBegun }
}

type Progress = (done: number, total: number, what: string) => void

/**
 * Moves every table to where it belongs, each in a transaction of its own: whoever is interrupted runs it again, and it goes on
 * where it stopped. No portal may run meanwhile. Until everything is moved, foreign keys are gone and triggers are off.
 */
export async function shard(db: Kysely<DB>, shards: number, progress: Progress): Promise<ShardPlan> {
  const plan = await planSharding(db)
  if (plan.isDone) return plan
  const inLongTransaction = <T>(work: (tx: Parameters<typeof suspendKeys>[0]) => Promise<T>) =>
    db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      return work(tx)
    })
  const total = plan.steps.length + 1
  if (!plan.isBegun)
    await inLongTransaction(async (tx) => {
      await suspendKeys(tx)
      await switchTriggers(tx, await listTablesAndMonths(tx), 'disable')
    })
  const sums = await findUsageSums(db)
  for (const [done, { table, placement, rows }] of plan.steps.entries()) {
    progress(done, total, table)
    await inLongTransaction(async (tx) => {
      await placeTable(tx, table, placement, shards)
      const arrived = await countRows(tx, table)
      if (arrived !== rows)
        throw new ShardError(`${table} had ${rows} rows and has ${arrived} on its nodes: nothing was moved.`)
    })
    if (placement !== 'local') await inLongTransaction((tx) => dropCopiedRows(tx, table))
  }
  progress(total - 1, total, 'functions, triggers and foreign keys')
  await inLongTransaction(async (tx) => {
    await distributeFunctions(tx)
    await switchTriggers(tx, await listTablesAndMonths(tx), 'enable')
    await resumeKeys(tx, (from, to) => placementOf(from) === 'customer' || placementOf(to) !== 'customer')
  })
  const after = await findUsageSums(db)
  if (JSON.stringify(after) !== JSON.stringify(sums))
    throw new ShardError(`Usage had the sums ${JSON.stringify(sums)} and has ${JSON.stringify(after)} on the shards.`)
  progress(total, total, 'ready')
  return plan
}
