import { Readable } from 'node:stream'
import { AUDIT_COLUMNS, type auditList, type exportAuditLines } from '#contract/audit/audit.ts'
import { listSealedRows } from '#server/audit/chain.queries.ts'
import { toLine } from '#server/audit/seal-rows.ts'
import { auditSource } from '#server/modules/audit/audit.list.ts'
import { namedChain } from '#server/modules/audit/named-chain.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import { type Call, SentFile } from '#server/operations/route.ts'

/** `audit_100001_2026-11-18`, without the ending; `portal` stands for what concerns no account. */
export const auditFileName = (customerNumber: string, now: Date): string =>
  `audit_${customerNumber || 'portal'}_${now.toISOString().slice(0, 10)}`

export async function exportAudit(call: Call<typeof auditList.exportCsv>): Promise<SentFile> {
  const scope = await namedChain(call)
  const timeZone = call.timeZone ?? 'UTC'
  return csvListAnswer(
    { ...call, timeZone, body: { ...call.body, ...scope } },
    `${auditFileName(scope.customerNumber, call.now)}.csv`,
    {
      source: auditSource,
      scope,
      columns: AUDIT_COLUMNS,
    },
  )
}

const BATCH = 500

/** Everything that is sealed after a sequence number. Memory holds one batch, however slowly the reader takes it. */
export async function exportLines(call: Call<typeof exportAuditLines>): Promise<SentFile> {
  const { db, later, now, query } = call
  const { customerNumber } = await namedChain(call)
  const begin = query.after ?? 0
  const first = await listSealedRows(db, customerNumber, begin, BATCH)
  const fileName = `${auditFileName(customerNumber, now)}.ndjson`
  await call.audit({ customerNumber, target: fileName, after: { after: begin } })
  return new SentFile(fileName, Readable.from(lines()), undefined, 'application/x-ndjson; charset=utf-8')

  async function* lines() {
    for (let batch = first; batch.length > 0; ) {
      const last = batch.at(-1)?.sequence ?? begin
      // A row that was removed by hand has a seal and nothing to export: the gap shows it.
      yield batch
        .filter(({ isLogged }) => isLogged)
        .map((row) => {
          const place = { customerNumber, sequence: row.sequence, previousHash: row.previousHash.toString('hex') }
          const line = toLine(row, place)
          return `${JSON.stringify({ ...line, hash: row.hash.toString('hex') })}\n`
        })
        .join('')
      if (batch.length < BATCH) return
      batch = await later(() => listSealedRows(db, customerNumber, last, BATCH))
    }
  }
}
