/** A quote is a revision of a draft: every save makes another quote. */
export function quoteNumber(draftId: string, revision: number): string {
  return `Q-${draftId.replaceAll('-', '').slice(0, 8).toUpperCase()}-${revision}`
}

export const QUOTE_VALIDITY = 'This quote is valid until the price list changes.'
export const QUOTE_OUTDATED = 'This draft cannot be quoted: some of its lines cannot be ordered as they are.'

/** Shown in place of a date: it is not known when the price list will change. */
export const VALID_UNTIL = 'Until the price list changes'
