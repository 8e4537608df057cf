import { Readable } from 'node:stream'
import { CSV_START, csvLine } from '#domain/kit/csv.ts'
import { CsvFile } from '#server/plugins/route.ts'

export type CsvCells = Parameters<typeof csvLine>[0]
type Batches = AsyncGenerator<readonly CsvCells[], void>

/** Sends lines as they come: memory holds one batch, however slowly the reader takes them. */
export async function csvAnswer(fileName: string, header: readonly string[], batches: Batches): Promise<CsvFile> {
  // Whatever is wrong with the request shows with the first batch: until then it can still be told.
  const first = await batches.next()
  return new CsvFile(fileName, Readable.from(textOf(header, first.value ?? [], batches)))
}

async function* textOf(header: readonly string[], first: readonly CsvCells[], rest: Batches) {
  yield CSV_START + csvLine(header) + first.map(csvLine).join('')
  for await (const lines of rest) yield lines.map(csvLine).join('')
}
