import { lineDifference } from '#domain/activations/license-difference.ts'
import { writtenLines } from '#domain/activations/license-lines.ts'

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
