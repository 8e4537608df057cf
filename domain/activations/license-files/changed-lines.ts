import { lineDifference } from '#domain/activations/license-files/license-difference.ts'
import { writtenLines } from '#domain/activations/license-files/license-lines.ts'

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
