import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

/**
 * Thrown for a value that a license file cannot hold. Values come from the catalog or the ledger, never from a form, so
 * this is an internal error.
 */
export class UnsafeLicenseWordError extends Error {
  override readonly name = 'UnsafeLicenseWordError'
}

/** A word is written as it is; anything that could end it, quote it or begin a new line is refused. */
export function licenseWord(text: string): string {
  if (/^[A-Za-z0-9._:-]+$/.test(text)) return text
  throw new UnsafeLicenseWordError(`This cannot be written to a license file: ${JSON.stringify(text)}`)
}

const MAX_COMMENT_TEXT = 120

/**
 * Text inside a comment: plain ASCII without quotes, backslashes and line ends. Accents are dropped, other characters
 * become "?".
 */
export function commentText(text: string): string {
  return text
    .slice(0, MAX_COMMENT_TEXT)
    .replace(/[\u2010-\u2015]/g, '-')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s\p{C}\p{Z}"\\]+/gu, ' ')
    .replace(/[^ -~]/gu, '?')
    .trim()
}

const WIDTH = 78
const TAB_WIDTH = 8
const CONTINUED = ' \\'

/** Some readers take a list of host ids only if it stands on one line. */
const UNBROKEN = /HOSTID="[^"]*"|[^ ]+/g

/** Breaks a line between words at about 78 columns; a longer word gets a separate line. */
export function wrapLine(line: string): string {
  const lines: string[] = []
  let current = ''
  for (const [word] of line.matchAll(UNBROKEN)) {
    const room = WIDTH - CONTINUED.length - (lines.length > 0 ? TAB_WIDTH : 0)
    if (current !== '' && current.length + 1 + word.length > room) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current].join(`${CONTINUED}\n\t`)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day as license files write it: 31-dec-2026. */
export function licenseDate(day: CalendarDay): string {
  const [year, month, date] = day.split('-')
  return `${date}-${MONTHS[Number(month) - 1]}-${year}`
}

/** A day as the version of a license: 2026.1231. */
export function licenseVersion(day: CalendarDay): string {
  const [year, month, date] = day.split('-')
  return `${year}.${month}${date}`
}

/** Leases cover every version. */
export const ANY_VERSION = '9999.9999'
export const PERMANENT_EXPIRATION = 'permanent'
