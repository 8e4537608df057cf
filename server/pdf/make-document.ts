import type { PdfDescription } from '#server/pdf/pdf-description.ts'
import type { Services } from '#server/services.ts'

/** A document without the parts that all documents share. */
export type Described = Omit<PdfDescription, 'language' | 'createdAt' | 'letterhead'>

export async function makeDocument(
  { loadLetterhead, makePdf }: Pick<Services, 'loadLetterhead' | 'makePdf'>,
  createdAt: Date,
  described: Described,
): Promise<Buffer> {
  const bytes = await makePdf({ ...described, language: 'en-US', createdAt, letterhead: await loadLetterhead() })
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
