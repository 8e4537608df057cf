/**
 * CSV as spreadsheets take it: RFC 4180, and nothing that they would run. A text that begins like a formula gets an
 * apostrophe in front, which a spreadsheet shows as plain text. Long lists are written by the same rule, byte by byte, in
 * `server/lists/csv-cells.ts`.
 */
export const CSV_LINE_END = '\r\n'
/** Without it, spreadsheets read accents in the wrong encoding. */
export const CSV_START = '\ufeff'

/** First characters that make a spreadsheet see a formula, full-width forms included. */
export const FORMULA_STARTS = '=+-@\t\r\n＝＋－＠'

function csvText(text: string): string {
  const plain = text !== '' && FORMULA_STARTS.includes(text.charAt(0)) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}

/** Our own numbers, instants and truths cannot be formulas and stay what they are; what is missing is an empty cell. */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? csvText(value) : String(value)
}

export function csvLine(values: readonly (string | number | boolean | null | undefined)[]): string {
  return values.map(csvCell).join(',') + CSV_LINE_END
}
