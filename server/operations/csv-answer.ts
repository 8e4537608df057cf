import { Readable } from 'node:stream'
import type { exportElasticEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import type { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { CSV_START, csvLine } from '#domain/csv.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'

export type CsvCells = Parameters<typeof csvLine>[0]
type Batches = AsyncGenerator<readonly CsvCells[], void>

type ExportCall = Pick<
  Call<typeof activeEntitlementList.exportCsv | typeof exportElasticEntitlements>,
  'audit' | 'body'
>

/** Sends lines as they come: memory holds one batch, however slowly the reader takes them. */
export async function csvAnswer(
  { audit, body }: ExportCall,
  fileName: string,
  header: readonly string[],
  batches: Batches,
): Promise<CsvFile> {
  // An invalid request fails with the first batch. Until that is sent, the answer can still be an error.
  const first = await batches.next()
  const { customerNumber: _, ...request } = body
  await audit({ target: fileName, after: request })
  return new CsvFile(fileName, Readable.from(textOf(header, first.value ?? [], batches)))
}

async function* textOf(header: readonly string[], first: readonly CsvCells[], rest: Batches) {
  yield CSV_START + csvLine(header) + first.map(csvLine).join('')
  for await (const lines of rest) yield lines.map(csvLine).join('')
}
