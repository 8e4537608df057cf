import type * as drafts from '#contract/fsa/drafts.ts'
import { quoteNumber } from '#domain/fsa/quote.ts'
import { type Body, call, fetchFile } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { saveFile } from '#web/lib/save-file.ts'

/** Orders that somebody prepared, the last saved first. */
export const draftsQuery = (customerNumber: string) => query('fsa/drafts', { body: { customerNumber } })

export type DraftBody = Body<'fsa/drafts/save'>

export function sendDraft(body: DraftBody, idempotencyKey: string): Promise<drafts.Draft> {
  return call('fsa/drafts/save', { body, idempotencyKey })
}

const QUOTES = { CSV: 'fsa/drafts/quote', PDF: 'fsa/drafts/quote/pdf' } as const
export type QuoteFormat = keyof typeof QUOTES

export async function downloadQuote(
  customerNumber: string,
  { id, revision }: drafts.Draft,
  format: QuoteFormat,
): Promise<void> {
  const file = await fetchFile(QUOTES[format], { body: { customerNumber, id } })
  saveFile(file, `${quoteNumber(id, revision)}.${format.toLowerCase()}`)
}
