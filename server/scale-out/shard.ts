import type { Kysely, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { createAccountCopy, isAccountCopyCurrent, refreshAccountCopy } from '#server/scale-out/account-copy.queries.ts'
import { isCheckable, type Placement, placementOf } from '#server/scale-out/placement.ts'
import {
  countRows,
  distributeFunctions,
  dropCopiedRows,
  dropLeftShards,
  FIRST_TABLE,
  findCitusVersion,
  findUsageSums,
  grantLostRights,
  hasKeptKeys,
  isNoAccountKept,
  isNoAccountOnCoordinator,
  keepNoAccountInPlace,
  listHiddenCopies,
  listMissingFunctions,
  listPlaced,
  listTablesAndMonths,
  listWholeTables,
  listWorkers,
  moveNoAccountToCoordinator,
  placeTable,
  resumeKeys,
  suspendKeys,
  switchTriggers,
} from '#server/scale-out/shard.queries.ts'

/** Thrown when the installation cannot be sharded; the text says what to do. */
class ShardError extends Error {}

/** Older ones were never tried. */
const OLDEST_CITUS = 13

export type ShardStep = { readonly table: string; readonly placement: Placement; readonly rows: number }
export type ShardPlan = {
  readonly workers: number
  /** What is still to be moved, in this order. */
  readonly steps: readonly ShardStep[]
  /** Tables whose rows are still on the coordinator as well, where nobody sees them. */
  readonly hiddenCopies: readonly string[]
  /** A run before this one has ended within. */
  readonly isBegun: boolean
  readonly isDone: boolean
}

const inLongTransaction = <T>(db: Kysely<DB>, work: (tx: Transaction<DB>) => Promise<T>) =>
  db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    return work(tx)
  })

/** What `shard` would do to this database. */
export const planSharding = (db: Kysely<DB>): Promise<ShardPlan> =>
  inLongTransaction(db, async (tx) => {
    const workers = await findUsableWorkers(tx)
    const [placed, tables, isBegun] = [await listPlaced(tx), await listWholeTables(tx), await hasKeptKeys(tx)]
    const steps: ShardStep[] = []
    for (const table of tables.filter((one) => placed.get(one) !== placementOf(one)))
      steps.push({ table, placement: placementOf(table), rows: await countRows(tx, table) })
    const turn: Placement[] = ['reference', 'customer', 'local']
    steps.sort((a, b) => turn.indexOf(a.placement) - turn.indexOf(b.placement))
    const hiddenCopies = await listHiddenCopies(tx)
    const hasFunctions = (await listMissingFunctions(tx)).length === 0
    const keepsNoAccount = (await isNoAccountOnCoordinator(tx)) && (await isNoAccountKept(tx))
    const isComplete = hasFunctions && keepsNoAccount && (await isAccountCopyCurrent(tx))
    const isDone = steps.length === 0 && hiddenCopies.length === 0 && !isBegun && isComplete
    return { workers, steps, hiddenCopies, isBegun, isDone }
  })

async function findUsableWorkers(tx: Transaction<DB>): Promise<number> {
  const version = await findCitusVersion(tx)
  if (version === undefined)
    throw new ShardError(
      'This database has no Citus. Create the extension on the coordinator and on every worker first.',
    )
  if (Number.parseInt(version, 10) < OLDEST_CITUS)
    throw new ShardError(`Citus ${version} is too old. Move to Citus ${OLDEST_CITUS} or later.`)
  const nodes = await listWorkers(tx)
  const silent = nodes.filter(({ answers }) => !answers).map(({ name }) => name)
  if (silent.length > 0)
    throw new ShardError(`${silent.join(', ')} cannot be reached from the coordinator. Start it, or remove it.`)
  const workers = nodes.filter(({ holdsShards }) => holdsShards).length
  if (workers === 0)
    throw new ShardError('The coordinator knows no node for shards. Add the workers first (citus_add_node).')
  return workers
}

type Progress = (done: number, total: number, what: string) => void

/**
 * Moves every table to its node, each in a separate transaction: after an interruption, run it again, and it continues
 * where it stopped. No portal may run in the meantime. Until all tables are moved, foreign keys are dropped and
 * triggers are disabled.
 */
export async function shard(db: Kysely<DB>, shards: number, progress: Progress): Promise<ShardPlan> {
  const plan = await planSharding(db)
  if (plan.isDone) return plan
  const total = plan.steps.length + 1
  if (!plan.isBegun)
    await inLongTransaction(db, async (tx) => {
      await suspendKeys(tx)
      await switchTriggers(tx, await listTablesAndMonths(tx), 'disable')
    })
  const sums = await inLongTransaction(db, findUsageSums)
  // A run may have ended after it has moved a table, and before it has emptied the copy.
  for (const table of plan.hiddenCopies) await inLongTransaction(db, (tx) => dropCopiedRows(tx, table))
  await inLongTransaction(db, moveNoAccountToCoordinator)
  for (const [done, { table, placement, rows }] of plan.steps.entries()) {
    progress(done, total, `${table}, ${rows.toLocaleString('en')} rows`)
    await inLongTransaction(db, async (tx) => {
      await placeTable(tx, table, placement, shards)
      const arrived = await countRows(tx, table)
      if (arrived !== rows)
        throw new ShardError(`${table} had ${rows} rows and has ${arrived} on its nodes: nothing was moved.`)
    })
    if (placement !== 'local') await inLongTransaction(db, (tx) => dropCopiedRows(tx, table))
    if (table === FIRST_TABLE) await inLongTransaction(db, moveNoAccountToCoordinator)
  }
  progress(total - 1, total, 'functions, triggers and foreign keys')
  await inLongTransaction(db, async (tx) => {
    await keepNoAccountInPlace(tx)
    await distributeFunctions(tx)
    await switchTriggers(tx, await listTablesAndMonths(tx), 'enable')
    await resumeKeys(tx, isCheckable)
    await grantLostRights(tx)
  })
  await dropLeftShards(db)
  await inLongTransaction(db, createAccountCopy)
  await refreshAccountCopy(db)
  const after = await inLongTransaction(db, findUsageSums)
  if (JSON.stringify(after) !== JSON.stringify(sums))
    throw new ShardError(`Usage had the sums ${JSON.stringify(sums)} and has ${JSON.stringify(after)} on the shards.`)
  progress(total, total, 'ready')
  return plan
}
