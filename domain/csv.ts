/**
 * CSV as spreadsheets take it: RFC 4180, and nothing that they would run. A text that begins like a formula gets an
 * apostrophe in front, which a spreadsheet shows as plain text.
 */
export const CSV_LINE_END = '\r\n'
/** The byte order mark: without it, spreadsheets read accents in the wrong encoding. */
export const CSV_START = '\ufeff'

/** The signs that begin a formula, and their full-width forms, as code points. */
export const FORMULA_SIGNS: readonly number[] = [...'=+-@＝＋－＠'].map((sign) => sign.charCodeAt(0))

/** Control characters, blanks, zero-width characters and byte order marks: a formula may hide behind them. */
export const UNSEEN: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
]

const isUnseen = (code: number) => UNSEEN.some(([first, last]) => code >= first && code <= last)

/** Some spreadsheets drop a tab or a line break at the start of a cell, so these are never let through. */
const isTabOrBreak = (code: number) => code === 0x09 || code === 0x0a || code === 0x0d

export function looksLikeFormula(text: string): boolean {
  if (isTabOrBreak(text.charCodeAt(0))) return true
  let at = 0
  while (at < text.length && isUnseen(text.charCodeAt(at))) at++
  return FORMULA_SIGNS.includes(text.charCodeAt(at))
}

function csvText(text: string): string {
  const plain = looksLikeFormula(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}

/** A number with a sign is no formula. */
const PLAIN_NUMBER = /^-?[0-9]+(?:[.][0-9]+)?$/

/** For files that are imported again. A text that begins with an apostrophe and a formula gets one more apostrophe: see `unguardText`. */
const needsGuard = (text: string) => looksLikeFormula(text.replace(/^'+/, '')) && !PLAIN_NUMBER.test(text)

/** A cell that is safe in a spreadsheet and reads back exactly. */
function exactCell(text: string): string {
  if (PLAIN_NUMBER.test(text)) return text
  return csvText(needsGuard(text) ? `'${text}` : text)
}

/** The text of a cell that `exactCell` wrote, or that never had a guard. */
export function unguardText(cell: string): string {
  return cell.startsWith("'") && needsGuard(cell.slice(1)) ? cell.slice(1) : cell
}

/** An amount of money, units or hours has two decimals, unless it says otherwise. */
type Amount = { readonly amount: number; readonly places?: number }
/** A text in a file that is imported again. */
type ExactText = { readonly exact: string }
export type CsvValue = string | number | boolean | Amount | ExactText | Date | null | undefined

/** In UTC, as every spreadsheet takes it for a time: 2026-01-31 09:30:00. The title of its column ends with (UTC). */
const instantText = (instant: Date): string => instant.toISOString().slice(0, 19).replace('T', ' ')

/** Numbers, instants and booleans cannot be formulas and need no quotes. A missing value is an empty cell. */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return instantText(value)
  if (typeof value === 'object' && 'exact' in value) return exactCell(value.exact)
  if (typeof value === 'object') return value.amount.toFixed(value.places ?? 2)
  return typeof value === 'string' ? csvText(value) : String(value)
}

export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvCell).join(',') + CSV_LINE_END
}
