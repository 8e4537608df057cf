import type { Kysely } from 'kysely'
import type { FileKind } from '#server/data/files/file-kind.ts'
import { type FileFormat, rowWriter } from '#server/data/files/file-rows.ts'
import { columnsOf } from '#server/data/files/row-columns.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

const PAGE = 2_000

/** All records of a kind as the text of a file, from one snapshot. Returns their number. */
export function exportRows(
  db: Kysely<DB>,
  { kind, read }: FileKind,
  format: FileFormat,
  write: (text: string) => Promise<void>,
  interrupted: AbortSignal,
): Promise<number> {
  const writer = rowWriter(format, columnsOf(kind.schema))
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await allowLongWork(tx)
      await write(writer.head)
      let count = 0
      let coming: ReturnType<typeof read> | undefined = read(tx, { limit: PAGE })
      while (coming) {
        const { rows, next }: Awaited<ReturnType<typeof read>> = await coming
        interrupted.throwIfAborted()
        coming = next === undefined ? undefined : read(tx, { limit: PAGE, after: next })
        coming?.catch(() => {})
        await write(rows.map(writer.line).join(''))
        count += rows.length
      }
      return count
    })
}
