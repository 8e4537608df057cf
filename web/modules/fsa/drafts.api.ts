import { queryOptions } from '@tanstack/react-query'
import type * as drafts from '#contract/fsa/drafts.ts'
import { quoteNumber } from '#domain/fsa/quote.ts'
import { type Body, call, fetchFile } from '#web/lib/api-client.ts'
import { saveFile } from '#web/lib/save-file.ts'

/** Orders that somebody prepared, the last saved first. */
export function draftsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['fsa-drafts', customerNumber],
    queryFn: ({ signal }) => call('fsa/drafts', { body: { customerNumber }, signal }),
  })
}

export type DraftBody = Body<'fsa/drafts/save'>

export function sendDraft(body: DraftBody, idempotencyKey: string): Promise<drafts.Draft> {
  return call('fsa/drafts/save', { body, idempotencyKey })
}

export function deleteDraft(customerNumber: string, id: string, idempotencyKey: string): Promise<null> {
  return call('fsa/drafts/delete', { body: { customerNumber, id }, idempotencyKey })
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
