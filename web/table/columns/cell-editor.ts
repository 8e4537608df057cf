/** How a whole number is edited in its cell. */
export type CellEditor<Row> = {
  /** The value as it is edited; not always what the cell shows. */
  value(row: Row): string
  /** Called with what was entered, on Enter or when the field is left. It may be wrong: the page refuses to save it. */
  onCommit(row: Row, value: string): void
  /** An error that is shown below the field. */
  errorOf?(row: Row, value: string): string | undefined
  isDisabled?(row: Row): boolean
}

const WHOLE_NUMBER = /^-?\d{1,9}$/

/** Whether it is a number at all is checked before the column's own rule. */
export function entryError<Row>(editor: CellEditor<Row>, row: Row, value: string): string | undefined {
  return WHOLE_NUMBER.test(value) ? editor.errorOf?.(row, value) : 'Enter a whole number.'
}
