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

const COUNT = new Intl.NumberFormat('en-US')

/** "3 emails", "1 email", "1 entitlement added": what is listed has its plural in its last word with an s. */
export function totalText(total: number, what: string): string {
  return `${COUNT.format(total)} ${total === 1 ? what.replace(/(ie)?s\b(?!.*s\b)/, (end) => (end === 'ies' ? 'y' : '')) : what}`
}

/**
 * The number of rows that a table reserves space for. A list with several pages keeps the height of a full page,
 * so that the buttons stay under the pointer on the last one.
 */
export function linesOfRoom(pageSize: number, total: number | undefined): number {
  return total === undefined ? pageSize : Math.min(pageSize, total)
}
