import { Readable } from 'node:stream'
import type { getStatementPdf } from '#contract/elastic/statements/statements.ts'
import type { quoteDraftAsPdf } from '#contract/fsa/drafts.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'
import { type Described, makeDocument } from '#server/pdf/make-document.ts'

type PdfCall = Pick<Call<typeof quoteDraftAsPdf | typeof getStatementPdf>, 'audit' | 'body' | 'now' | 'services'>

/** Makes a document and sends it. A file that was made is in the audit log with what was requested. */
export async function pdfAnswer(
  { audit, body, now, services }: PdfCall,
  fileName: string,
  described: Described,
): Promise<CsvFile> {
  const bytes = await makeDocument(services, now, described)
  const { customerNumber: _, ...request } = body
  await audit({ target: fileName, after: request })
  return new CsvFile(fileName, Readable.from([bytes]), bytes.length, 'application/pdf')
}
