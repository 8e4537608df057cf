/** How well a text answers what was typed: the lower the better. */
export const WHOLE_WORDS = 0
export const WORD_BEGINNINGS = 1
export const INSIDE_WORDS = 2

/**
 * Undefined if a typed word is nowhere in the text. Upper and lower case are the same, and so are American and British
 * spelling. "activate" is a whole word of "Activate products", but only inside a word of "Deactivate".
 */
export function wordRank(text: string, typed: string): number | undefined {
  const known = wordsOf(text)
  let rank = WHOLE_WORDS
  for (const word of wordsOf(typed)) {
    const found = rankOfWord(known, word)
    if (found === undefined) return undefined
    rank = Math.max(rank, found)
  }
  return rank
}

function rankOfWord(known: readonly string[], word: string): number | undefined {
  if (known.includes(word)) return WHOLE_WORDS
  if (known.some((one) => one.startsWith(word))) return WORD_BEGINNINGS
  return known.some((one) => one.includes(word)) ? INSIDE_WORDS : undefined
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('licence', 'license')
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether a text has every typed word, also inside of a word. */
export const hasWords = (text: string, typed: string): boolean => wordRank(text, typed) !== undefined
