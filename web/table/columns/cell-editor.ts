/** How a cell is edited in place. */
export type CellEditor<Row> = {
  kind: 'text' | 'whole number' | 'choice' | 'date'
  /** The value as it is edited; not always what the cell shows. */
  value(row: Row): string
  options?: readonly { value: string; label: string }[]
  /** Called with what was entered when it is valid, on Enter or when the cell is left. */
  onCommit(row: Row, value: string): void
  /** An error that is shown beside the cell; nothing is committed until it is resolved. */
  errorOf?(row: Row, value: string): string | undefined
  isDisabled?(row: Row): boolean
  /** Also commits invalid values, so that the page knows them and refuses to save. */
  commitsErrors?: boolean
  /** Shows a field at all times, instead of text that turns into one. */
  isAlwaysOpen?: boolean
}

const WHOLE_NUMBER = /^\d{1,9}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The error of this kind of editor. It is checked before the column's own rule. */
export function entryError<Row>(editor: CellEditor<Row>, row: Row, value: string): string | undefined {
  if (editor.kind === 'whole number' && !WHOLE_NUMBER.test(value)) return 'Enter a whole number.'
  if (editor.kind === 'date' && value !== '' && !DAY.test(value)) return 'Enter a date as YYYY-MM-DD.'
  return editor.errorOf?.(row, value)
}
