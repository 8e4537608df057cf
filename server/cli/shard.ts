import { writeAudit } from '#server/audit/audit.queries.ts'
import { listOtherSessions, listRanMigrations } from '#server/backup/schema.queries.ts'
import { type Command, readArguments, UsageError } from '#server/cli/command.ts'
import { readMigrations } from '#server/db/migrate.ts'
import type { Placement } from '#server/scale-out/placement.ts'
import { countShards } from '#server/scale-out/shard.queries.ts'
import { planSharding, type ShardPlan, shard } from '#server/scale-out/shard.ts'

/** Each shard has all tables: with many shards, a month of usage has thousands of indexes. */
const DEFAULT_SHARDS = 32
const MAX_SHARDS = 1024

const PLACES: Readonly<Record<Placement, string>> = {
  customer: 'distributed by customer number',
  reference: 'copied to every node',
  local: 'kept on the coordinator',
}

export const shardDatabase: Command = {
  name: 'shard',
  usage: '[--shards <number>] [--dry-run]',
  summary: 'Distribute the database by customer over the nodes of Citus (docs/scale-out.md)',
  keepsVersion: true,
  role: 'owner',
  async run(words, { installation: { db }, audit, say, progress }) {
    const { options } = readArguments(words, [], { shards: { type: 'string' }, 'dry-run': { type: 'boolean' } })
    const shards = shardsOf(options.shards)
    if ((await listRanMigrations(db))?.length !== readMigrations().length)
      throw new Error('This database is not of this version. Run "migrate" first. Nothing was changed.')
    const plan = await planSharding(db)
    if (plan.isDone) return say(`This database is distributed already, over ${nodesText(plan)}`)
    if (plan.isBegun) say('An earlier run was interrupted. This one goes on where it stopped.')
    for (const table of plan.hiddenCopies) say(`  ${table}: its copy on the coordinator is emptied`)
    if (options['dry-run']) {
      for (const { table, placement, rows } of plan.steps) say(`  ${table}: ${count(rows)}, ${PLACES[placement]}`)
      return say(`This was a dry run: ${shards} shards over ${nodesText(plan)}, nothing was changed.`)
    }
    const others = await listOtherSessions(db)
    if (others.length > 0)
      throw new Error(`Stop the portal first: the database is in use by ${others.join(', ')}. Nothing was changed.`)
    await shard(db, shards, progress)
    const rows = plan.steps.reduce((sum, step) => sum + step.rows, 0)
    await writeAudit(db, audit, { action: 'database.shard', after: { shards, nodes: plan.workers, rows } })
    say(`${count(rows)} of ${plan.steps.length} tables are on ${await countShards(db)} shards over ${nodesText(plan)}`)
    say('Counts of rows and sums of usage are those of before')
  },
}

function shardsOf(text = String(DEFAULT_SHARDS)): number {
  const shards = Number(text)
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS)
    throw new UsageError(`--shards must be a whole number from 1 to ${MAX_SHARDS}`)
  return shards
}

const nodesText = ({ workers }: ShardPlan) => `${workers} ${workers === 1 ? 'node' : 'nodes'}`
const count = (rows: number) => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
