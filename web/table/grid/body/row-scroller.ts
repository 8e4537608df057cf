/** Brings a row into view that may not be drawn yet. */
export type RowScroller = { scrollToRow(index: number): void }
