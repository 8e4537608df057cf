import { keywordOf, writtenLines } from '#domain/activations/license-files/license-lines.ts'

/** A file of a thousand licenses stays far below all of these. */
export const MAX_LICENSE_FILE = 1024 * 1024
const MAX_LINES = 20_000
const MAX_LINE = 20_000
const MAX_WORDS = 200_000
const MAX_SERVER_LINES = 100
const MAX_SERVER_LINE = 1000
const MAX_DIGITS = 40

const LINE_END = /\r\n|\n|\r/g
const WORD = /\S+/g
/** Each run of digits is scanned once, from its first digit on. */
const LONG_NUMBER = new RegExp(`(?<!\\d)\\d{${MAX_DIGITS + 1}}`)

/**
 * Why a text is too large to be read as a license file; undefined if it is not. Every check takes one pass over the
 * text.
 */
export function licenseFileExcess(text: string): string | undefined {
  if (text.length > MAX_LICENSE_FILE) return 'This file is too large. The limit is 1 MB.'
  if (hasMore(text, LINE_END, MAX_LINES)) return `This file has more than ${shown(MAX_LINES)} lines.`
  if (hasMore(text, WORD, MAX_WORDS)) return `This file has more than ${shown(MAX_WORDS)} words.`
  let servers = 0
  for (const [index, line] of writtenLines(text).entries()) {
    const isServer = keywordOf(line) === 'SERVER'
    if (isServer && ++servers > MAX_SERVER_LINES) return `This file has more than ${MAX_SERVER_LINES} SERVER lines.`
    const longest = isServer ? MAX_SERVER_LINE : MAX_LINE
    if (line.length > longest) return `Line ${index + 1} has more than ${shown(longest)} characters.`
    if (LONG_NUMBER.test(line)) return `Line ${index + 1} has a number of more than ${MAX_DIGITS} digits.`
  }
  return undefined
}

function hasMore(text: string, pattern: RegExp, most: number): boolean {
  let count = 0
  for (const _ of text.matchAll(pattern)) if (++count > most) return true
  return false
}

const shown = (limit: number) => limit.toLocaleString('en-US')
