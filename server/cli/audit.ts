import type { Transaction } from 'kysely'
import { chainName } from '#domain/audit/check-chain.ts'
import { loadCheckpointKey, signCheckpoints } from '#server/audit/checkpoints.ts'
import { DAY, removeOld } from '#server/audit/remove-old.ts'
import { findRemovableEnd, listChainsToShorten } from '#server/audit/retention.queries.ts'
import { sealWaiting } from '#server/audit/sealer.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import { type Command, type Context, readArguments, UsageError } from '#server/cli/command.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

export const auditVerify: Command = {
  name: 'audit verify',
  usage: '[--customer <customer number>] [--key <public key>]',
  summary:
    'Check the chains of the audit log and their checkpoints; names every row that was changed, removed or inserted',
  async run(words, context) {
    const { options } = readArguments(words, [], { customer: { type: 'string' }, key: { type: 'string' } })
    let rows = 0
    let chains = 0
    let faults = 0
    let checkpoints = 0
    const key = (await loadCheckpointKey(context.installation.db, context.secrets)).spki.toString('base64')
    if (options.key !== undefined && options.key !== key) {
      context.say(`The key that signs checkpoints was replaced: it is ${key}, and not that of --key`)
      faults++
    }
    await asOfNow(context, async (tx) => {
      for await (const chain of verifyAudit(
        tx,
        context.secrets,
        options.customer === undefined ? undefined : [options.customer],
      )) {
        for (const finding of chain.findings) context.say(finding)
        rows += chain.rows
        faults += chain.findings.length
        checkpoints += chain.checkpoints
        chains++
      }
    })
    if (faults > 0) throw new Error(`The audit log was tampered with: ${counted(faults, 'fault')}`)
    if (options.key === undefined)
      context.say(`Checkpoints are signed with the key ${key}: compare it with yours (--key)`)
    context.say(
      `${counted(rows, 'row')} in ${counted(chains, 'chain')} and ${counted(checkpoints, 'checkpoint')}: nothing was changed, removed or inserted`,
    )
  },
}

export const auditCheckpoint: Command = {
  name: 'audit checkpoint',
  usage: '',
  summary:
    'Seal what waits, and sign every chain that has grown since its last checkpoint; the portal does so every day',
  async run(words, { installation: { db }, secrets, now, audit, say }) {
    readArguments(words, [], {})
    const clock = { now: () => now }
    while ((await sealWaiting({ db, secrets, clock })) > 0);
    say(`Signed ${counted(await signCheckpoints(db, secrets, audit), 'checkpoint')}`)
  },
}

export const auditRemoveOld: Command = {
  name: 'audit remove-old',
  usage: '[--dry-run]',
  summary:
    'Remove what is older than AUDIT_RETENTION_DAYS, up to a checkpoint, as the portal does every night; the rest can still be verified',
  role: 'owner',
  async run(words, { config, installation: { db }, now, audit, say }) {
    const { options } = readArguments(words, [], { 'dry-run': { type: 'boolean' } })
    const { auditRetentionDays: days } = config
    if (days === undefined) throw new UsageError('AUDIT_RETENTION_DAYS is not set: everything is kept')
    if (!options['dry-run']) return say(`Removed ${counted(await removeOld(db, audit), 'row')}`)
    const before = new Date(now.getTime() - days * DAY)
    for (const customerNumber of await listChainsToShorten(db, before)) {
      const sequence = await findRemovableEnd(db, customerNumber, before)
      if (sequence !== undefined) say(`  ${chainName(customerNumber)}: up to sequence ${sequence}`)
    }
    say('This was a dry run: nothing was changed.')
  },
}

/** Everything as of one instant, so that rows that are sealed meanwhile do not count. */
function asOfNow({ installation }: Context, act: (tx: Transaction<DB>) => Promise<void>): Promise<void> {
  return installation.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await allowLongWork(tx)
      await act(tx)
    })
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
