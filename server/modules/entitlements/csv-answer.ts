import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { exportActiveEntitlements, exportElasticEntitlements } from '#contract/entitlements/export-entitlements.ts'
import { CSV_START, csvLine } from '#domain/kit/csv.ts'
import type { Call } from '#server/plugins/route.ts'

export type CsvCells = Parameters<typeof csvLine>[0]
type Batches = AsyncGenerator<readonly CsvCells[], void>

type ExportCall = Pick<
  Call<typeof exportActiveEntitlements | typeof exportElasticEntitlements>,
  'audit' | 'body' | 'reply'
>

/** Sends lines as they come: memory holds one batch, however slowly the reader takes them. */
export async function csvAnswer(
  { audit, body, reply }: ExportCall,
  fileName: string,
  header: readonly string[],
  batches: Batches,
): Promise<FastifyReply> {
  // Whatever is wrong with the request shows with the first batch: until then it can still be told.
  const first = await batches.next()
  const { customerNumber: _, ...request } = body
  await audit({ action: 'entitlements.export-csv', target: fileName, after: request })
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(textOf(header, first.value ?? [], batches)))
}

async function* textOf(header: readonly string[], first: readonly CsvCells[], rest: Batches) {
  yield CSV_START + csvLine(header) + first.map(csvLine).join('')
  for await (const lines of rest) yield lines.map(csvLine).join('')
}
