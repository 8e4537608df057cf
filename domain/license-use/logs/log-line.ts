import { areNamesShort, isSeatCount } from '#domain/license-use/foreign-limits.ts'
import { errorNumberAtEnd } from '#domain/license-use/logs/error-number.ts'
import { dayOf } from '#domain/license-use/logs/local-time.ts'

/** A line of a debug log, taken apart: when, who wrote it, and what. */
export type LogLine = {
  readonly seconds: number
  /** Only with `-datestamp`. */
  readonly day: number | null
  readonly offset: string | null
  /** Forks of a vendor daemon, such as `vend_1`, count as the daemon. */
  readonly daemon: string
  readonly message: string
}

export type SeatWord = 'OUT' | 'IN' | 'DENIED' | 'UNSUPPORTED' | 'QUEUED' | 'DEQUEUED'

/** What a line says about seats of a feature. */
export type SeatEvent = {
  readonly word: SeatWord
  readonly feature: string
  readonly user: string
  readonly host: string | null
  readonly data: string | null
  readonly count: number
  readonly flag: 'INACTIVE' | 'SHUTDOWN' | null
  readonly version: string | null
  readonly code: number | null
  readonly text: string | null
}

const CLOCK_LINE = /^\s?(\d{1,2}):(\d\d):(\d\d) \(([^()\s]+)\) ?(.*)$/
const DATED_LINE =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,]\d+)?\s?(Z|[+-]\d\d:?\d\d)? \(([^()\s]+)\) ?(.*)$/
const SEAT_WORD = /^(OUT|IN|DENIED|UNSUPPORTED|QUEUED|DEQUEUED): /
const NOTE = /(?:\d+(?: licenses?)?|SHUTDOWN|INACTIVE)\)/y
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+)$/i
export function parseLogLine(text: string): LogLine | null {
  const clock = CLOCK_LINE.exec(text)
  if (clock) {
    const [, hour, minute, second, daemon = '', message = ''] = clock
    return line(secondsOf(hour, minute, second), null, null, daemon, message)
  }
  const dated = DATED_LINE.exec(text)
  if (!dated) return null
  const [, year, month, day, hour, minute, second, offset = null, daemon = '', message = ''] = dated
  const date = dayOf(Number(year), Number(month), Number(day))
  return line(secondsOf(hour, minute, second), date, offset, daemon, message)
}

function line(
  seconds: number | null,
  day: number | null,
  offset: string | null,
  daemon: string,
  message: string,
): LogLine | null {
  return seconds === null ? null : { seconds, day, offset, daemon: daemon.replace(/_\d+$/, ''), message }
}

function secondsOf(hour?: string, minute?: string, second?: string): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)]
  return hours < 24 && minutes < 60 && seconds < 61 ? hours * 3600 + minutes * 60 + Math.min(seconds, 59) : null
}

/** The rest of an event that the license manager wrote on a line of its own. */
export function isContinuation(text: string): boolean {
  const said = text.trim()
  if (!said.startsWith('(') || !said.endsWith(')')) return false
  const inner = said.slice(1, -1)
  return /^\d+ licenses?$/.test(inner) || errorNumberAtEnd(inner) !== null
}

export function isSeatMessage(message: string): boolean {
  return SEAT_WORD.test(message)
}

/** More may follow on the next line: the feature has no quotes, or a refusal has no reason yet. */
export function mayContinue(message: string): boolean {
  const unquoted = !/^[A-Z]+: "/.test(message)
  return unquoted || (/^(DENIED|UNSUPPORTED):/.test(message) && findReason(splitVerbose(message).plain) === null)
}

/** Null: the line says that something happened to seats, but not legibly what. */
export function parseSeatEvent(message: string): SeatEvent | null {
  const word = SEAT_WORD.exec(message)?.[1] as SeatWord | undefined
  if (!word) return null
  const { plain, verbose } = splitVerbose(message)
  const said = plain.slice(word.length + 2).trim()
  const counted = /^(\d+) (?:"([^"]+)"|(\S+)) to /.exec(said)
  if (counted && said.length > counted[0].length)
    return toEvent(word, counted[2] ?? counted[3] ?? '', said.slice(counted[0].length), verbose, Number(counted[1]))
  const named = /^(?:"([^"]+)"|(\S+))\s+/.exec(said)
  if (!named) return null
  const rest = said.slice(named[0].length)
  const who = word === 'UNSUPPORTED' ? rest.replace(/^\([^)]*\)\s*(?=\S)/, '') : rest
  return toEvent(word, named[1] ?? named[2] ?? '', who, verbose, null)
}

/**
 * Another name for the user of a seat event. What else a verbose line says about the user, such as an address, is left out. An event that
 * cannot be read loses everything but its first word.
 */
export function renameSeatUser(message: string, rename: (user: string) => string): string {
  const unreadable = message.slice(0, message.indexOf(':') + 2)
  const said = splitVerbose(message)
  const { version, user } = parseVerbose(said.verbose ?? '')
  const plain = said.verbose === null ? message : `${said.plain}^^^ ${version ?? '-'} ${rename(user)} ^^^`
  const seat = parseSeatEvent(plain)
  if (!seat) return unreadable
  const pseudonym = rename(seat.user)
  if (seat.user === pseudonym) return plain
  const index = plain.indexOf(` ${seat.user}`, plain.indexOf(seat.feature) + seat.feature.length)
  return index < 0 ? unreadable : `${plain.slice(0, index)} ${pseudonym}${plain.slice(index + 1 + seat.user.length)}`
}

function toEvent(
  word: SeatWord,
  feature: string,
  rest: string,
  verbose: string | null,
  statedCount: number | null,
): SeatEvent | null {
  const who = splitWho(rest, statedCount !== null)
  if (!who) return null
  const reason = findReason(who.tail)
  const notes = reason ? who.tail.slice(0, reason.index) : who.tail
  const noted = /(?:^|\s)\((\d+)(?: licenses?)?\)/.exec(notes)?.[1]
  const count = statedCount ?? Number(noted ?? 1)
  const fields = verbose ? parseVerbose(verbose) : null
  const user = who.user || fields?.user
  if (!user && word !== 'DENIED' && word !== 'UNSUPPORTED') return null
  if (!isSeatCount(count) || !areNamesShort(feature, user ?? null, who.host)) return null
  return {
    word,
    feature,
    user: user || '',
    host: who.host,
    data: bracketed(notes),
    count,
    flag: notes.includes('(SHUTDOWN)') ? 'SHUTDOWN' : notes.includes('(INACTIVE)') ? 'INACTIVE' : null,
    version: /"v([^"]+)"/.exec(notes)?.[1] ?? fields?.version ?? null,
    code: reason?.code ?? null,
    text: reason?.text || /\(([^()\d][^()]*[.])\)\s*$/.exec(notes)?.[1] || null,
  }
}

/** The fields between `^^^` at the end of a verbose line, and what is before them. */
function splitVerbose(message: string): { plain: string; verbose: string | null } {
  const said = message.trimEnd()
  const open = said.indexOf('^^^')
  const close = said.length - 3
  if (open < 0 || close < open + 3 || !said.endsWith('^^^')) return { plain: message, verbose: null }
  return { plain: message.slice(0, open), verbose: said.slice(open + 3, close).trim() }
}

/** `(text (-4,342))` at the end of a refusal: the bracket opens at `index`. */
function findReason(tail: string): { index: number; text: string; code: number } | null {
  const said = tail.trimEnd()
  const number = said.endsWith(')') ? errorNumberAtEnd(said.slice(0, -1)) : null
  if (!number) return null
  for (let index = tail.indexOf('('); index >= 0 && index < number.index; index = tail.indexOf('(', index + 1)) {
    NOTE.lastIndex = index + 1
    if (!NOTE.test(tail)) return { index, text: tail.slice(index + 1, number.index).trim(), code: number.code }
  }
  return null
}

/** What stands between square brackets that begin a word. */
function bracketed(notes: string): string | null {
  for (let open = notes.indexOf('['); open >= 0; open = notes.indexOf('[', open + 1)) {
    if (open > 0 && !/\s/.test(notes[open - 1]!)) continue
    const close = notes.indexOf(']', open)
    return close < 0 ? null : notes.slice(open + 1, close)
  }
  return null
}

/** User names hold blanks and `@`; hosts hold neither, so the first word with an `@` ends both, and its last `@` divides them. */
function splitWho(text: string, mayLackHost: boolean) {
  const at = text.indexOf('@')
  if (at >= 0) {
    const blank = text.slice(at).search(/\s/)
    const both = blank < 0 ? text : text.slice(0, at + blank)
    const word = both.lastIndexOf('@')
    const host = both.slice(word + 1)
    if (!host && !mayLackHost) return null
    return { user: both.slice(0, word), host: host || null, tail: text.slice(both.length).trimStart() }
  }
  if (!mayLackHost) return null
  const open = text.indexOf('(')
  return open < 0
    ? { user: text, host: null, tail: '' }
    : { user: text.slice(0, open).trimEnd(), host: null, tail: text.slice(open) }
}

/** `version user address process handle …`: the address tells where a user name with blanks ends. */
function parseVerbose(text: string) {
  const words = text.split(/\s+/)
  const address = words.findIndex((word, index) => index > 1 && ADDRESS.test(word))
  return { version: words[0] || null, user: words.slice(1, address < 0 ? 2 : address).join(' ') }
}
