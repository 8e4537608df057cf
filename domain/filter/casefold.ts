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

/**
 * Folded code by code, for speed: a filter may hold a hundred thousand characters. Made when it is first needed, because
 * the table has 65,536 entries, and the browser loads this file before it draws the first table.
 */
let foldedCodes: Uint16Array | undefined
function allFoldedCodes(): Uint16Array {
  if (foldedCodes) return foldedCodes
  foldedCodes = new Uint16Array(0x10000).map((_, code) => code)
  for (const [character, folded] of FOLDED) foldedCodes[character.charCodeAt(0)] = folded.charCodeAt(0)
  return foldedCodes
}
const NOT_ASCII = /[\u0080-\uffff]/
const CHUNK = 1000

export function casefold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  const foldedOf = allFoldedCodes()
  let folded = ''
  for (let from = 0; from < text.length; from += CHUNK) {
    const codes = new Uint16Array(Math.min(CHUNK, text.length - from))
    for (let i = 0; i < codes.length; i++) codes[i] = foldedOf[text.charCodeAt(from + i)] ?? 0
    folded += String.fromCharCode(...codes)
  }
  return folded
}

/** Whether folding makes a difference: digits and dashes look the same in either case. */
export function hasCase(folded: string): boolean {
  for (const character of folded) if (VARIANTS.has(character)) return true
  return false
}

/** The letters beyond ASCII in a folded text that have another form, each of them once. */
export function casedLetters(folded: string): string[] {
  const codes = new Set<number>()
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i)
    if (code > 0x7f) codes.add(code)
  }
  return [...codes].map((code) => String.fromCharCode(code)).filter(hasCase)
}

/** The other characters that fold to this folded one: 'Ü' for 'ü', 'ΣςϹ…' for 'σ', nothing for '7'. */
export function caseVariants(folded: string): string {
  return VARIANTS.get(folded) ?? ''
}
