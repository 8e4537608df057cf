import { printable } from '#domain/activations/hosts/host-name.ts'
import type { Verification, VerifiedBlock } from '#domain/activations/license-files/license-verification.ts'

/** 'text changed': every license is genuine, but something else in the file is not as it was generated. */
export const VERDICTS = ['unchanged', 'text changed', 'licenses changed', 'not ours', 'no licenses'] as const
export type Verdict = (typeof VERDICTS)[number]

/** A file is unchanged if its own signature says so, or if exactly this text is kept: older files have no such signature. */
export function verdictOn({ licenses, file }: Verification, isKept: boolean): Verdict {
  if (licenses === 'none') return 'no licenses'
  if (licenses === 'changed') return 'licenses changed'
  if (licenses === 'not ours') return 'not ours'
  return file === 'valid' || isKept ? 'unchanged' : 'text changed'
}

const VENDOR_NOTE =
  "The check covers this portal's own signatures. A vendor's license daemon accepts only the vendor's own signatures."

export function explanationOf(verdict: Verdict, verification: Verification): string {
  return [reasonOf(verdict, verification), supersededText(verification), VENDOR_NOTE]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function reasonOf(verdict: Verdict, verification: Verification): string {
  switch (verdict) {
    case 'unchanged':
      return 'This portal generated this file, and no character of it was changed. Line ends are not compared.'
    case 'text changed':
      return `This file is not as this portal generated it, although every license in it is genuine. ${textChangeOf(verification)}`
    case 'licenses changed':
      return `${damagedText(verification.blocks)} was changed or repeated after this portal signed it.`
    case 'not ours':
      return 'No license in this file was signed by this portal.'
    case 'no licenses':
      return 'This file has no licenses.'
  }
}

function textChangeOf({ file, fileCount }: Verification): string {
  if (fileCount > 1) return `It was put together from ${fileCount} generated files.`
  if (file === 'absent')
    return 'It has no signature of the whole file, and no file that was kept is identical: it was edited, or put together by hand.'
  return 'Something outside the licenses was edited, or a license was taken out. Host names, ports, paths and comments may be edited: the licenses stay valid.'
}

const MAX_NAMED = 5

function damagedText(blocks: readonly VerifiedBlock[]): string {
  const damaged = blocks.filter(({ outcome }) => outcome !== 'valid')
  const named = damaged
    .slice(0, MAX_NAMED)
    .map(({ feature, line }) => `${feature === '' ? 'a license' : printable(feature)} (line ${line})`)
  const left = damaged.length - named.length
  return `At least one license in this file, ${named.join(', ')}${left > 0 ? ` and ${left} more` : ''},`
}

function supersededText({ issueDates }: Verification): string {
  return issueDates.length > 1
    ? `Its licenses were issued on different days (${issueDates.join(', ')}): the older ones of a feature do not count.`
    : ''
}
