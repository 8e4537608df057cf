import { type Check, failed, ok, plural, some, warning } from '#server/doctor/finding.ts'
import { findUnreachableAccounts, isAccountCopyCurrent } from '#server/scale-out/account-copy.queries.ts'
import { placementOf } from '#server/scale-out/placement.ts'
import {
  countShards,
  hasKeptKeys,
  isNoAccountKept,
  isNoAccountOnCoordinator,
  isSharded,
  listForgottenTransactions,
  listHiddenCopies,
  listMissingFunctions,
  listPlaced,
  listWholeTables,
  listWorkers,
} from '#server/scale-out/shard.queries.ts'

/** The nodes of a database that is distributed over several. */
export const nodes: Check = {
  name: 'nodes',
  async run({ tx }) {
    const again = 'Stop the portal and run "shard" again'
    if (await hasKeptKeys(tx)) return failed('"shard" was interrupted: foreign keys and triggers are off', again)
    if (!(await isSharded(tx))) return ok('one database server')
    const workers = await listWorkers(tx)
    const silent = workers.filter(({ answers }) => !answers).map(({ name }) => name)
    if (silent.length > 0) {
      const { count } = await findUnreachableAccounts(tx, silent, 1)
      const accounts = `Its customers get 503 until then (${plural(count, 'account')}; the operations screen lists them)`
      return failed(`${some(silent)} cannot be reached`, `Start it, or promote its standby. ${accounts}`)
    }
    const placed = await listPlaced(tx)
    const toMove = (await listWholeTables(tx)).filter((table) => placed.get(table) !== placementOf(table))
    if (toMove.length > 0) return failed(`${some(toMove)} not distributed yet`, again)
    const missing = (await listMissingFunctions(tx)).map(({ worker, name }) => `${name} on ${worker}`)
    if (missing.length > 0) return failed(`functions are missing or old: ${some(missing)}`, again)
    if (!(await isNoAccountOnCoordinator(tx)))
      return failed('audit rows of acts without an account are on a worker: without it, nobody can sign in', again)
    if (!(await isNoAccountKept(tx)))
      return warning('the next rebalance moves audit rows of acts without an account to a worker', again)
    if (!(await isAccountCopyCurrent(tx))) return failed('the coordinator has no copy of the accounts', again)
    const forgotten = await listForgottenTransactions(tx)
    if (forgotten.length > 0)
      return failed(
        `${plural(forgotten.length, 'transaction')} half committed for minutes: ${some(forgotten)}`,
        'Run "select recover_prepared_transactions()" on the coordinator',
      )
    const copies = await listHiddenCopies(tx)
    if (copies.length > 0) return warning(`the coordinator has a hidden copy of ${some(copies)}`, again)
    return ok(
      `${plural(await countShards(tx), 'shard')} on ${plural(workers.length, 'worker')} and the coordinator, all answer`,
    )
  },
}
