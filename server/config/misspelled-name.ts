/** Shorter names are too close to those of other programs. */
const MIN_LENGTH = 6
const LONG = 9

/** The known name that somebody meant who typed this one; undefined if it is the name of something else. */
export function findMeantName(typed: string, known: Iterable<string>): string | undefined {
  const name = typed.toUpperCase()
  for (const one of known) {
    if (one.length < MIN_LENGTH) continue
    const limit = one.length < LONG ? 1 : 2
    if (Math.abs(one.length - name.length) <= limit && countSlips(name, one) <= limit) return one
  }
  return undefined
}

/** How many letters were left out, added, replaced or swapped with their neighbor. */
function countSlips(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= a.length; row += 1) {
    const slips = [row]
    rows.push(slips)
    for (let column = 1; column <= b.length; column += 1) {
      const isEqual = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      slips.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isEqual ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
