import { queryOptions } from '@tanstack/react-query'
import * as drafts from '#contract/fsa/drafts.ts'
import type { BodyOf } from '#contract/kit/operation.ts'
import { quoteNumber } from '#domain/fsa/quote.ts'
import { call, fetchFile } from '#web/lib/api-client.ts'
import { saveFile } from '#web/lib/save-file.ts'

/** Orders that somebody prepared, the last saved first. */
export function draftsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['fsa-drafts', customerNumber],
    queryFn: ({ signal }) => call(drafts.listDrafts, { body: { customerNumber }, signal }),
  })
}

export type DraftBody = BodyOf<typeof drafts.saveDraft>

export function sendDraft(body: DraftBody, idempotencyKey: string): Promise<drafts.Draft> {
  return call(drafts.saveDraft, { body, idempotencyKey })
}

export function deleteDraft(customerNumber: string, id: string, idempotencyKey: string): Promise<null> {
  return call(drafts.deleteDraft, { body: { customerNumber, id }, idempotencyKey })
}

const QUOTES = { CSV: drafts.quoteDraft, PDF: drafts.quoteDraftAsPdf } as const
export type QuoteFormat = keyof typeof QUOTES

export async function downloadQuote(
  customerNumber: string,
  { id, revision }: drafts.Draft,
  format: QuoteFormat,
): Promise<void> {
  const file = await fetchFile(QUOTES[format], { body: { customerNumber, id } })
  saveFile(file, `${quoteNumber(id, revision)}.${format.toLowerCase()}`)
}
