import { createRequire } from 'node:module'
import path from 'node:path'

/** What is used of fontkit, the font reader of pdfmake, which comes without types. */
type Font = {
  readonly unitsPerEm: number
  readonly postscriptName: string
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): { readonly advanceWidth: number }
}

const require = createRequire(import.meta.url)
const fontkit = require('fontkit') as { openSync(file: string): Font }

export const FONTS = path.join(path.dirname(require.resolve('pdfmake/package.json')), 'fonts', 'Roboto')
const file = (name: string) => path.join(FONTS, `Roboto-${name}.ttf`)
export const FONT_FILES = {
  normal: file('Regular'),
  bold: file('Medium'),
  italics: file('Italic'),
  bolditalics: file('MediumItalic'),
}

const normal = fontkit.openSync(FONT_FILES.normal)
const bold = fontkit.openSync(FONT_FILES.bold)
keepKerning(normal)
const widths = new Map([normal, bold].map((font) => [font, new Map<string, number>()]))

/** In points. */
export function textWidth(text: string, size: number, isBold: boolean): number {
  const font = isBold ? bold : normal
  const known = widths.get(font) ?? new Map<string, number>()
  let width = 0
  for (const character of text) {
    const one = known.get(character) ?? font.glyphForCodePoint(character.codePointAt(0) ?? 0).advanceWidth
    known.set(character, one)
    width += one
  }
  return (width * size) / font.unitsPerEm
}

const MISSING = '\ufffd'
/** The font has all ASCII characters, so most texts need no check of single characters. */
const NOT_PLAIN = /[^\n\t\x20-\x7e]/u

/** Roboto has Latin, Greek and Cyrillic letters. Other characters would vanish: each becomes a visible mark instead. */
export function printable(text: string): string {
  if (!NOT_PLAIN.test(text)) return text
  return Array.from(text, (one) => (normal.hasGlyphForCodePoint(one.codePointAt(0) ?? 0) ? one : MISSING)).join('')
}

type TableReader = { _getTable(this: Font, table: { readonly tag: string }): unknown }

/**
 * pdfmake opens its fonts again for every document, and decoding how their letters are spaced takes a third of a document's time.
 * So all fonts of one name share what one of them has decoded.
 */
function keepKerning(font: Font): void {
  const reader: TableReader = Object.getPrototypeOf(font)
  const { _getTable: decode } = reader
  const decoded = new Map<string, unknown>()
  reader._getTable = function (table) {
    if (table.tag !== 'GPOS' && table.tag !== 'GSUB') return decode.call(this, table)
    const key = `${this.postscriptName} ${table.tag}`
    const known = decoded.get(key) ?? decode.call(this, table)
    decoded.set(key, known)
    return known
  }
}
