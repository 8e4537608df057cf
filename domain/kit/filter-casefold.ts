/**
 * Upper and lower case as one, defined by this table and nothing else: databases and browsers fold by locale and by their
 * own Unicode version, and would disagree. A character folds to one character, and only A–Z fold to ASCII: so an ASCII
 * search text needs nothing but ASCII folding on the other side.
 * The ranges (Latin, Greek, Cyrillic, Armenian, their forms with diacritics, letter-like symbols, full-width Latin) had
 * their case pairs settled long before any engine that runs this.
 */
const RANGES: readonly (readonly [number, number])[] = [
  [0x41, 0x5a],
  [0x80, 0x58f],
  [0x1e00, 0x24ff],
  [0xff21, 0xff3a],
]
const FOLDABLE = /[A-Z\u0080-\u058f\u1e00-\u24ff\uff21-\uff3a]/g

const FOLDED = new Map<string, string>()
const VARIANTS = new Map<string, string>()
for (const [first, last] of RANGES) {
  for (let code = first; code <= last; code++) {
    const character = String.fromCharCode(code)
    const folded = foldOne(character)
    if (folded === character) continue
    FOLDED.set(character, folded)
    VARIANTS.set(folded, (VARIANTS.get(folded) ?? '') + character)
  }
}

/** Through upper case first, so that σ and ς, or the micro sign and μ, become the same. */
function foldOne(character: string): string {
  const candidates = [character.toUpperCase().toLowerCase(), character.toLowerCase()]
  const fits = (folded: string) => folded.length === 1 && (folded > '\x7f' || character <= '\x7f')
  return candidates.find(fits) ?? character
}

export function casefold(text: string): string {
  return text.replace(FOLDABLE, (character) => FOLDED.get(character) ?? character)
}

/** The other characters that fold to this folded one: 'Ü' for 'ü', 'ΣςϹ…' for 'σ', nothing for '7'. */
export function caseVariants(folded: string): string {
  return VARIANTS.get(folded) ?? ''
}
