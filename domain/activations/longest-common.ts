/** Above this many bits (32 MiB, about 16,000 times 16,000) no common elements are looked for. */
const MOST_BITS = 2 ** 28
const WORD = 32

/**
 * The longest common subsequence of two lists, as pairs of indexes. Each element of `before` costs one pass over a row of
 * bits (Hyyrö's bit-parallel algorithm), so that even the worst case of ten thousand lines takes a fraction of a second.
 */
export function longestCommon(before: readonly string[], after: readonly string[]): [number, number][] {
  const width = Math.ceil(after.length / WORD)
  if (before.length * width * WORD > MOST_BITS) return []
  return tracePairs(rowsOf(before, after, width), width, before.length, after.length)
}

/** Bit `column` of row `row` is 0 where one more element of `after` makes the common part longer. */
function rowsOf(before: readonly string[], after: readonly string[], width: number): Uint32Array {
  const positions = Map.groupBy(after.keys(), (index) => after[index] ?? '')
  const rows = new Uint32Array(before.length * width)
  let previous = new Uint32Array(width).fill(0xffffffff)
  for (const [index, element] of before.entries()) {
    const matches = new Uint32Array(width)
    for (const at of positions.get(element) ?? []) matches[at >>> 5]! |= 1 << (at & 31)
    const row = rows.subarray(index * width, (index + 1) * width)
    let carry = 0
    for (let word = 0; word < width; word++) {
      const [old, match] = [previous[word]!, matches[word]!]
      const sum = old + ((old & match) >>> 0) + carry
      carry = sum > 0xffffffff ? 1 : 0
      row[word] = sum | (old & ~match)
    }
    previous = row
  }
  return rows
}

function tracePairs(rows: Uint32Array, width: number, length: number, columns: number): [number, number][] {
  const isSet = (row: number, column: number) => ((rows[row * width + (column >>> 5)]! >>> (column & 31)) & 1) === 1
  const pairs: [number, number][] = []
  let [row, column] = [length, columns]
  while (row > 0 && column > 0) {
    if (isSet(row - 1, column - 1)) column--
    else {
      row--
      if (row === 0 || isSet(row - 1, column - 1)) pairs.push([row, --column])
    }
  }
  return pairs.reverse()
}
