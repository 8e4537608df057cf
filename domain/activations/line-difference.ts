/** An element of one list or of both; the indexes say where it stands in each. */
export type Difference =
  | { readonly kind: 'unchanged'; readonly before: number; readonly after: number }
  | { readonly kind: 'removed'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number }

/** Everything of both lists in order; where they differ, what was removed comes before what was added. */
export function lineDifference(before: readonly string[], after: readonly string[]): Difference[] {
  const differences: Difference[] = []
  let [left, right] = [0, 0]
  for (const [keptBefore, keptAfter] of [...commonPairs(before, after), [before.length, after.length] as const]) {
    while (left < keptBefore) differences.push({ kind: 'removed', before: left++ })
    while (right < keptAfter) differences.push({ kind: 'added', after: right++ })
    if (left < before.length && right < after.length)
      differences.push({ kind: 'unchanged', before: left++, after: right++ })
  }
  return differences
}

/** Equal beginnings and ends, and lines that are on one side alone, need no search. */
function commonPairs(before: readonly string[], after: readonly string[]): [number, number][] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [left, right] = [middle(before, start, end, new Set(after)), middle(after, start, end, new Set(before))]
  const found = longestCommon(
    left.map((index) => before[index] ?? ''),
    right.map((index) => after[index] ?? ''),
  )
  return [
    ...Array.from({ length: start }, (_, index): [number, number] => [index, index]),
    ...found.map(([one, other]): [number, number] => [left[one]!, right[other]!]),
    ...Array.from({ length: end }, (_, index): [number, number] => [
      before.length - end + index,
      after.length - end + index,
    ]),
  ]
}

function middle(lines: readonly string[], start: number, end: number, others: ReadonlySet<string>): number[] {
  return [...lines.keys()].filter(
    (index) => index >= start && index < lines.length - end && others.has(lines[index] ?? ''),
  )
}

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
