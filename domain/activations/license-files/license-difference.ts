import { withoutFileSignature } from '#domain/activations/license-files/file-signature.ts'
import {
  attribute,
  isFeature,
  type LicenseLine,
  licenseLines,
  writtenLines,
} from '#domain/activations/license-files/license-lines.ts'

/** A line with those that continue it, so that a license is added or removed as a whole. */
export type DifferenceEntry = {
  readonly kind: 'added' | 'removed' | 'unchanged'
  readonly lines: readonly string[]
}

/** Feature and activation id identify a license. Reissued ones differ in date and signature only. */
export type DifferenceSummary = {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly reissued: number
  readonly unchanged: number
}

export type LicenseDifference = { readonly entries: readonly DifferenceEntry[]; readonly summary: DifferenceSummary }

/**
 * Compares two license files by their meaning: a new date of issue, new signatures, other line breaks and the numbers of
 * comments are no difference, otherwise every new file would differ in every line. By the letter: `changedLines`.
 */
export function licenseDifference(before: string, after: string): LicenseDifference {
  const [left, right] = [licenseLines(withoutFileSignature(before)), licenseLines(withoutFileSignature(after))]
  const entries = lineDifference(left.map(meaning), right.map(meaning)).map((one): DifferenceEntry => {
    const line = one.kind === 'removed' ? left[one.before] : right[one.after]
    return { kind: one.kind, lines: line?.written ?? [] }
  })
  return { entries, summary: summaryOf(left.filter(isFeature), right.filter(isFeature)) }
}

export function differenceText({ added, removed, changed, reissued, unchanged }: DifferenceSummary): string {
  const parts = [
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
    [reissued + unchanged, 'unchanged'],
  ] as const
  const counts = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return counts.length > 0 ? `Licenses: ${counts.join(', ')}.` : 'Neither file has licenses.'
}

function meaning(line: LicenseLine): string {
  if (line.keyword === undefined)
    return line.written
      .map((one) => one.trimEnd())
      .join('\n')
      .replace(/^#\s*\d+\.\s/, '# ')
  return line.words.filter((word) => !/^(?:ISSUED|ISSUER|SIGN2?)=/.test(word)).join(' ')
}

function summaryOf(before: readonly LicenseLine[], after: readonly LicenseLine[]): DifferenceSummary {
  const waiting = Map.groupBy(before, identity)
  const counts = { added: 0, removed: 0, changed: 0, reissued: 0, unchanged: 0 }
  for (const line of after) {
    const former = waiting.get(identity(line))?.shift()
    if (!former) counts.added++
    else if (former.words.join(' ') === line.words.join(' ')) counts.unchanged++
    else if (meaning(former) === meaning(line)) counts.reissued++
    else counts.changed++
  }
  return { ...counts, removed: [...waiting.values()].reduce((sum, left) => sum + left.length, 0) }
}

function identity({ words }: LicenseLine): string {
  return [words[1], words[2], attribute(words, 'SN'), attribute(words, 'VENDOR_STRING')].join(' ')
}

/** An element of one list or of both, with its index in each. */
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

/** Equal beginnings and ends, and lines that occur on one side only, need no search. */
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

/** A line of one file that the other does not have. The number is that of the file which has it. */
export type ChangedLine = { readonly kind: 'added' | 'removed'; readonly line: number; readonly text: string }

/** What was changed in a file, line by line and to the letter: spaces and comments count, line ends do not. */
export function changedLines(before: string, after: string): ChangedLine[] {
  const [left, right] = [writtenLines(before), writtenLines(after)]
  return lineDifference(left, right).flatMap((one): ChangedLine[] => {
    if (one.kind === 'removed') return [{ kind: 'removed', line: one.before + 1, text: left[one.before] ?? '' }]
    if (one.kind === 'added') return [{ kind: 'added', line: one.after + 1, text: right[one.after] ?? '' }]
    return []
  })
}

/** The index of the text that has most lines in common with this one. Only the lines are counted, whatever their order. */
export function nearestText(texts: readonly string[], text: string): number {
  const lines = writtenLines(text)
  const distances = texts.map((one) => lineDistance(writtenLines(one), lines))
  return distances.indexOf(Math.min(...distances))
}

function lineDistance(before: readonly string[], after: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of after) counts.set(line, (counts.get(line) ?? 0) - 1)
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0)
}
