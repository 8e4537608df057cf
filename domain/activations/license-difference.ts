import { attribute, isFeature, type LicenseLine, licenseLines } from '#domain/activations/license-lines.ts'
import { lineDifference } from '#domain/activations/line-difference.ts'

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
 * Compares two license files. By their meaning, a new date of issue, a new signature, other line breaks and the numbers of
 * comments are no difference: otherwise every new file would differ in every line. By the letter, all of that counts.
 */
export function licenseDifference(
  before: string,
  after: string,
  by: 'meaning' | 'letter' = 'meaning',
): LicenseDifference {
  const [left, right] = [licenseLines(before), licenseLines(after)]
  const key = by === 'meaning' ? meaning : letter
  const entries = lineDifference(left.map(key), right.map(key)).map((one): DifferenceEntry => {
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

const letter = ({ written }: LicenseLine) => written.map((line) => line.trimEnd()).join('\n')

function meaning(line: LicenseLine): string {
  if (line.keyword === undefined) return letter(line).replace(/^#\s*\d+\.\s/, '# ')
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
