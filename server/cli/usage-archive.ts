import fs from 'node:fs'
import { isMonth, type Month } from '#domain/elastic/usage/archived-months.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { type Command, readArguments, UsageError } from '#server/cli/command.ts'
import {
  archiveMonth,
  detachMonth,
  planArchive,
  planDetach,
  restoreMonth,
} from '#server/modules/elastic/elastic.public.ts'

const BEFORE = { before: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const
const DRY_RUN = 'This was a dry run: nothing was changed.'

export const usageArchive: Command = {
  name: 'usage archive',
  usage: '--before <yyyy-mm> --to <directory> [--dry-run]',
  summary: 'Write the transactions of every month before one to a file, and check the file; the database keeps them',
  role: 'owner',
  async run(words, { installation: { db }, now, audit, say, progress }) {
    const { options } = readArguments(words, [], { ...BEFORE, to: { type: 'string' } })
    const directory = directoryIn('--to', options.to)
    const planned = await planArchive(db, monthIn(options.before), now)
    let written = 0
    for (const [done, one] of planned.entries()) {
      progress(done, planned.length, one.month)
      if (options['dry-run']) say(`  ${one.month}: ${counted(one.transactions)}${one.archived ? ', archived' : ''}`)
      else {
        const isNew = await archiveMonth(db, one, directory, { by: audit.email, now }, (tx) =>
          writeAudit(tx, audit, { action: 'usage.archive', target: one.month, after: { rows: one.transactions } }),
        )
        if (isNew) written++
      }
    }
    progress(planned.length, planned.length, 'ready')
    if (options['dry-run']) return say(DRY_RUN)
    say(`${months(written)} written to ${directory} and checked, ${months(planned.length - written)} there already`)
  },
}

export const usageDetach: Command = {
  name: 'usage detach',
  usage: '--before <yyyy-mm> --from <directory> [--dry-run]',
  summary: 'Take archived months out of the database; their sums stay, and nothing is booked there any more',
  role: 'owner',
  async run(words, { installation: { db }, now, audit, say, progress }) {
    const { options } = readArguments(words, [], { ...BEFORE, from: { type: 'string' } })
    const directory = directoryIn('--from', options.from)
    const planned = await planDetach(db, monthIn(options.before), directory, now)
    for (const [done, one] of planned.entries()) {
      progress(done, planned.length, one.month)
      if (options['dry-run']) say(`  ${one.month}: ${counted(one.transactions)}`)
      else
        await detachMonth(db, one, { by: audit.email, now }, (tx) =>
          writeAudit(tx, audit, { action: 'usage.detach', target: one.month, after: { rows: one.transactions } }),
        )
    }
    progress(planned.length, planned.length, 'ready')
    say(options['dry-run'] ? DRY_RUN : `${months(planned.length)} taken out of the database`)
  },
}

export const usageRestore: Command = {
  name: 'usage restore',
  usage: '<file>',
  summary: 'Bring the newest month that was taken out back from its file',
  role: 'owner',
  async run(words, { installation: { db }, audit, say }) {
    const { file } = readArguments(words, ['file'], {})
    const { month, transactions } = await restoreMonth(db, file, (tx, target) =>
      writeAudit(tx, audit, { action: 'usage.restore', target }),
    )
    say(`${month} is back: ${counted(transactions)}`)
  },
}

function monthIn(text = ''): Month {
  if (!isMonth(text)) throw new UsageError('--before must be a month such as 2025-03')
  return text
}

function directoryIn(option: string, directory = ''): string {
  if (!fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${option} must be a directory that is there`)
  return directory
}

const months = (count: number) => `${count} ${count === 1 ? 'month' : 'months'}`
const counted = (transactions: string) => `${Number(transactions).toLocaleString('en')} transactions`
