/** The position of a page in its list, for the line below the table. */
export function pagePlace(page: number, pageSize: number, total: number) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const current = Math.min(page, pages - 1)
  return {
    pages,
    current,
    /** Counted from one; 0 to 0 of nothing. */
    first: total === 0 ? 0 : current * pageSize + 1,
    last: Math.min((current + 1) * pageSize, total),
  }
}

/**
 * The number of rows that a table reserves space for. A list with several pages keeps the height of a full page,
 * so that the buttons stay under the pointer on the last one.
 */
export function linesOfRoom(pageSize: number, total: number | undefined): number {
  return total === undefined ? pageSize : Math.min(pageSize, total)
}
