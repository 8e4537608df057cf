import { Readable } from 'node:stream'
import type { exportElasticEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import type { getStatementPdf } from '#contract/elastic/statements/statements.ts'
import type { usageList } from '#contract/elastic/usage/usage-list.ts'
import type { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import type { quoteDraftAsPdf } from '#contract/fsa/drafts.ts'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import type { webCheckoutList } from '#contract/web-licenses/web-checkout-lists.ts'
import { CSV_START, csvLine } from '#domain/csv.ts'
import type { CsvColumns, CsvPiece } from '#server/lists/list-csv.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import type { ListFields, ListScope, ListSource, WireRow } from '#server/lists/list-source.ts'
import { type Call, SentFile } from '#server/operations/route.ts'
import { type Described, makeDocument } from '#server/pdf/make-document.ts'

export type CsvCells = Parameters<typeof csvLine>[0]
type Batches = AsyncGenerator<readonly CsvCells[], void>

type ExportCall = Pick<
  Call<typeof activeEntitlementList.exportCsv | typeof exportElasticEntitlements>,
  'audit' | 'body'
>
type ListCall = Pick<
  Call<typeof usageList.exportCsv | typeof webCheckoutList.exportCsv>,
  'audit' | 'body' | 'db' | 'later' | 'services' | 'timeZone'
>
type PdfCall = Pick<Call<typeof quoteDraftAsPdf | typeof getStatementPdf>, 'audit' | 'body' | 'now' | 'services'>

/** Sends lines as CSV as they come. */
export function csvAnswer(
  call: ExportCall,
  fileName: string,
  header: readonly string[],
  batches: Batches,
): Promise<SentFile> {
  return sendPieces(call, fileName, textOf(header, batches))
}

export type CsvTable = {
  readonly fileName: string
  readonly header: readonly string[]
  readonly lines: readonly CsvCells[]
}

/** Sends lines as CSV that are all there already. */
export function csvTableAnswer(call: ExportCall, { fileName, header, lines }: CsvTable): Promise<SentFile> {
  return csvAnswer(
    call,
    fileName,
    header,
    (async function* () {
      yield lines
    })(),
  )
}

export const csvTableBytes = ({ header, lines }: CsvTable): Buffer =>
  Buffer.from(CSV_START + [header, ...lines].map(csvLine).join(''))

async function* textOf(header: readonly string[], batches: Batches) {
  let start = CSV_START + csvLine(header)
  for await (const lines of batches) {
    yield start + lines.map(csvLine).join('')
    start = ''
  }
  if (start) yield start
}

type Lines = readonly CsvCells[] | Promise<readonly CsvCells[]>
type ExportedList<S extends ListScope, F extends ListFields> = {
  readonly source: ListSource<S, F>
  readonly scope: S
} & (
  | { readonly columns: CsvColumns<F> }
  /** For screens that show more than the columns of the list. */
  | { readonly header: readonly string[]; linesOf(rows: WireRow<F>[]): Lines }
)

/** All matching rows of a list, in the columns of the screen. Never cut silently: too many rows are refused. */
export async function csvListAnswer<S extends ListScope, F extends ListFields>(
  call: ListCall,
  fileName: string,
  list: ExportedList<S, F>,
  { most = MAX_FETCH_ALL, refusal = tooManyRows }: { readonly most?: number; refusal?(most: number): Error } = {},
): Promise<SentFile> {
  const { body, db, later, services, timeZone } = call
  const { source, scope } = list
  const found = await services.lists.count(db, source, scope, body, { timeZone, atMost: most + 1 })
  if (found > most) throw refusal(most)
  if ('linesOf' in list) {
    const batches = services.lists.rows(db, source, scope, body, { timeZone, later })
    return csvAnswer(call, fileName, list.header, linesIn(batches, list.linesOf))
  }
  const pieces = services.lists.csv(db, source, scope, { ...body, columns: list.columns }, { timeZone, later })
  return sendPieces(call, fileName, bytesOf(pieces))
}

async function* linesIn<Row>(batches: AsyncGenerator<Row[]>, linesOf: (rows: Row[]) => Lines) {
  for await (const rows of batches) yield await linesOf(rows)
}

async function* bytesOf(pieces: AsyncGenerator<CsvPiece>) {
  for await (const { bytes } of pieces) yield bytes
}

/** Memory holds one piece, no matter how slowly the reader takes them. */
async function sendPieces(
  { audit, body }: ExportCall,
  fileName: string,
  pieces: AsyncGenerator<string | Uint8Array, void>,
): Promise<SentFile> {
  // An invalid request fails with the first piece. Until that is sent, the answer can still be an error.
  const first = await pieces.next()
  const { customerNumber: _, ...request } = body
  await audit({ target: fileName, after: request })
  const content = async function* () {
    if (!first.done) yield first.value
    yield* pieces
  }
  return new SentFile(fileName, Readable.from(content()))
}

/** Makes a document and sends it. The audit log has every file with its request. */
export async function pdfAnswer(
  { audit, body, now, services }: PdfCall,
  fileName: string,
  described: Described,
): Promise<SentFile> {
  const bytes = await makeDocument(services, now, described)
  const { customerNumber: _, ...request } = body
  await audit({ target: fileName, after: request })
  return new SentFile(fileName, Readable.from([bytes]), bytes.length, 'application/pdf')
}
