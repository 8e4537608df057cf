import type { Kysely, Transaction } from 'kysely'
import { type UsageRecord, usageRecords } from '#contract/data/usage.ts'
import { archivedNotice } from '#domain/elastic/usage/archived-months.ts'
import type { ReadPage, ReadQuestion, RowOutcome, SaveContext } from '#server/data/data-kind.ts'
import type { FileKind } from '#server/data/files/file-kind.ts'
import type { DB } from '#server/db/schema.ts'
import { bookTransactions } from '#server/modules/elastic/usage/book-transactions.ts'
import { findArchivedBefore } from '#server/modules/elastic/usage/usage-archive.queries.ts'
import {
  type BookedUsage,
  pageOfUsage,
  type UsagePosition,
} from '#server/modules/elastic/usage/usage-records.queries.ts'

/** Each month of usage is a table, so a mistyped year must not create hundreds of them. */
const OLDEST = new Date('2000-01-01T00:00:00Z')

/** Usage in files: booked as `POST /service/v1/usage` does, exactly once by its id. */
export const usageData: FileKind<UsageRecord> = {
  kind: usageRecords,
  save,
  read,
  async leftOut(db) {
    const archivedBefore = await findArchivedBefore(db)
    return archivedBefore === null ? undefined : archivedNotice(archivedBefore)
  },
}

async function save(tx: Transaction<DB>, rows: readonly UsageRecord[], { now }: SaveContext): Promise<RowOutcome[]> {
  const bookings = await bookTransactions(tx, rows, { now, oldest: OLDEST, isHistory: true })
  return rows.map((row, index) => {
    const key = usageRecords.keyOf(row)
    const booking = bookings[index]
    if (typeof booking === 'object') return { key, result: 'refused', ...booking }
    return { key, result: booking === 'booked' ? 'created' : 'unchanged' }
  })
}

async function read(db: Kysely<DB>, { after, limit }: ReadQuestion): Promise<ReadPage<UsageRecord>> {
  const from = after === undefined ? undefined : (JSON.parse(after) as UsagePosition)
  const found = await pageOfUsage(db, from, limit)
  let last = from
  const rows = found.map((row) => {
    last = positionOf(row, last)
    return recordOf(row, last.part)
  })
  return found.length < limit || !last ? { rows } : { rows, next: JSON.stringify(last) }
}

function positionOf({ customerNumber, endTime, id, number }: BookedUsage, before: UsagePosition | undefined) {
  const isSame = before?.customerNumber === customerNumber && before.endedAt === endTime && before.id === id
  return { customerNumber, endedAt: endTime, id, number, part: isSame ? before.part + 1 : 1 }
}

/** What is empty is left out, as it is in files. */
function recordOf({ customerNumber: _, number: __, ...row }: BookedUsage, part: number) {
  const fields = Object.entries(part > 1 ? { ...row, part } : row)
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== '')) as UsageRecord & {
    changedAt: string
  }
}
