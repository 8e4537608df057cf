/** A quote is a revision of a draft: every save makes another quote. */
export function quoteNumber(draftId: string, revision: number): string {
  return `Q-${draftId.replaceAll('-', '').slice(0, 8).toUpperCase()}-${revision}`
}

export const QUOTE_VALIDITY = 'This quote is valid until the price list changes.'
export const QUOTE_OUTDATED = 'This draft cannot be quoted: some of its lines cannot be ordered as they are.'

/** Until when a quote or a draft holds: nobody knows the day. */
export const VALID_UNTIL = 'Until the price list changes'
