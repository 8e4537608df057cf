import type { Transaction } from 'kysely'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { type Command, type Context, readArguments, UsageError } from '#server/cli/command.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import {
  listMeteredAccounts,
  listUsageDrift,
  rebuildUsageSums,
  type UsageDrift,
  unlockPinAs,
} from '#server/modules/elastic/elastic.public.ts'

const ACCOUNTS = '<customer number>|all'

export const usageCheck: Command = {
  name: 'usage check',
  usage: ACCOUNTS,
  summary: 'Compare the kept sums of usage with the raw transactions; fails if they differ',
  async run(words, context) {
    let differences = 0
    const accounts = await accountsNamed(words, context)
    for (const [done, customerNumber] of accounts.entries()) {
      context.progress(done, accounts.length, customerNumber)
      const drifts = await inTransaction(context, (db) => listUsageDrift(db, customerNumber))
      for (const drift of drifts) context.say(driftLine(customerNumber, drift))
      differences += drifts.length
    }
    context.progress(accounts.length, accounts.length, 'ready')
    if (differences > 0)
      throw new Error(`${differences} sums differ from the transactions. Mend them with "usage rebuild".`)
    context.say(`The sums of ${countOf(accounts)} are those of their transactions`)
  },
}

export const usageRebuild: Command = {
  name: 'usage rebuild',
  usage: ACCOUNTS,
  summary: 'Make the sums of usage anew from the raw transactions',
  async run(words, context) {
    const accounts = await accountsNamed(words, context)
    for (const [done, customerNumber] of accounts.entries()) {
      context.progress(done, accounts.length, customerNumber)
      await inTransaction(context, async (tx) => {
        await rebuildUsageSums(tx, customerNumber, context.audit.email, context.now)
        await writeAudit(tx, context.audit, { action: 'usage.rebuild', customerNumber })
      })
    }
    context.progress(accounts.length, accounts.length, 'ready')
    context.say(`The sums of ${countOf(accounts)} were made anew`)
  },
}

export const pinUnlock: Command = {
  name: 'pin unlock',
  usage: '<customer number> <server id> <address>',
  summary: 'Let an address send PINs again that was locked after too many wrong ones',
  async run(words, { installation, audit, say }) {
    const named = readArguments(words, ['customer number', 'server id', 'address'], {})
    const key = {
      customer_number: named['customer number'],
      server_id: named['server id'],
      external_ip: named.address,
    }
    const unlocked = await installation.db.transaction().execute((tx) => unlockPinAs(tx, key, audit))
    say(unlocked ? `${key.external_ip} is unlocked` : `Nothing is locked for ${key.external_ip} on ${key.server_id}`)
  },
}

async function accountsNamed(words: readonly string[], { installation }: Context): Promise<string[]> {
  const { 'customer number': named } = readArguments(words, ['customer number'], {})
  const accounts = await listMeteredAccounts(installation.db)
  if (named === 'all') return accounts
  if (!accounts.includes(named)) throw new UsageError(`Account ${named} has no elastic license server`)
  return [named]
}

const inTransaction = <T>({ installation }: Context, act: (tx: Transaction<DB>) => Promise<T>): Promise<T> =>
  installation.db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    return act(tx)
  })

function driftLine(customerNumber: string, { sums, day, activation_id, name, currency, kept, summed }: UsageDrift) {
  const what = [customerNumber, sums, day, activation_id, name, currency].filter(Boolean).join(' ')
  return `${what}: kept ${kept ?? 'nothing'}, transactions say ${summed ?? 'nothing'}`
}

const countOf = ({ length }: readonly string[]) => (length === 1 ? '1 account' : `${length} accounts`)
