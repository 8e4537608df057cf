import { diffArrays } from 'diff'
import type { DifferenceSummary } from '#domain/activations/license-files/difference-text.ts'
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

/** Where more lines than this were moved, all count as changed: the search would take seconds for a hostile file. */
const MAX_MOVES = 1000

/** Lines that both sides keep, as pairs of indexes. Those that occur on one side only need no search. */
function commonPairs(before: readonly string[], after: readonly string[]): [number, number][] {
  const [left, right] = [indexesOf(before, new Set(after)), indexesOf(after, new Set(before))]
  const textsOf = (lines: readonly string[], indexes: readonly number[]) => indexes.map((index) => lines[index] ?? '')
  const parts = diffArrays(textsOf(before, left), textsOf(after, right), { maxEditLength: MAX_MOVES }) ?? []
  const pairs: [number, number][] = []
  let [one, other] = [0, 0]
  for (const { added, removed, count } of parts)
    for (let each = 0; each < count; each++) {
      if (!added && !removed) pairs.push([left[one]!, right[other]!])
      if (!added) one++
      if (!removed) other++
    }
  return pairs
}

function indexesOf(lines: readonly string[], others: ReadonlySet<string>): number[] {
  return [...lines.keys()].filter((index) => others.has(lines[index] ?? ''))
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
