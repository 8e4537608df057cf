import { longestCommon } from '#domain/activations/longest-common.ts'

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
