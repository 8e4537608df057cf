import { HttpError } from '#server/http/http-error.ts'
import type { PdfDescription } from '#server/pdf/pdf-description.ts'
import type { Services } from '#server/services.ts'
import { ThreadError } from '#server/threads/thread-pool.ts'

/** A document without the parts that all documents share. */
export type Described = Omit<PdfDescription, 'language' | 'createdAt' | 'letterhead'>

export async function makeDocument(
  { loadLetterhead, makePdf }: Pick<Services, 'loadLetterhead' | 'makePdf'>,
  createdAt: Date,
  described: Described,
): Promise<Buffer> {
  const letterhead = await loadLetterhead()
  try {
    const bytes = await makePdf({ ...described, language: 'en-US', createdAt, letterhead })
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  } catch (error) {
    if (error instanceof ThreadError && error.reason === 'limit') throw new HttpError(413, TOO_LONG)
    throw error
  }
}

const TOO_LONG = 'This is too much for a PDF file. Choose less of it, or take the CSV file.'
