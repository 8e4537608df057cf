import { Readable } from 'node:stream'
import type { getStatementPdf } from '#contract/elastic/statements.ts'
import type { quoteDraftAsPdf } from '#contract/fsa/drafts.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'
import type { PdfDescription } from '#server/pdf/pdf-description.ts'

type PdfCall = Pick<Call<typeof quoteDraftAsPdf | typeof getStatementPdf>, 'audit' | 'body' | 'now' | 'services'>

/** What every document has in common is filled in here. */
type Described = Omit<PdfDescription, 'language' | 'createdAt' | 'letterhead'>

/** Makes a document and sends it. A file that was made is in the audit log with what was requested. */
export async function pdfAnswer(
  { audit, body, now, services }: PdfCall,
  fileName: string,
  described: Described,
): Promise<CsvFile> {
  const { name, color } = services.config.brand
  const bytes = await services.makePdf({
    ...described,
    language: 'en-US',
    createdAt: now,
    letterhead: { name, color },
  })
  const { customerNumber: _, ...request } = body
  await audit({ target: fileName, after: request })
  return new CsvFile(fileName, Readable.from([bytes]), bytes.length, 'application/pdf')
}
