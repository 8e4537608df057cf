import type { LocalTime } from '#domain/license-use/logs/local-time.ts'
import { dayOf, monthNamed, parseSlashDate } from '#domain/license-use/logs/local-time.ts'
import type { LogLine } from '#domain/license-use/logs/log-line.ts'

/** `day` counts from the first line until a line says which day it is (`isDated`). */
export type LogClockState = {
  readonly day: number
  readonly isDated: boolean
  readonly seconds: number | null
  readonly isDayFirst: boolean
}

const HALF_A_DAY = 43_200
/** Daemons write side by side: after midnight, one of them may still write a line of the evening before. */
const LATE_LINE = 86_400 - 60
const SLASH_DATE = /^\d{1,2}\/\d{1,2}\/\d{4}/
const STARTED = ' started on '
const SYSTEM_DATE = /^Server's System Date and Time: \S+ ([A-Za-z]{3}) (\d{1,2}) (\d{4}) /

/** Follows the clock of a log, whose lines have a time and rarely a date. */
export function createLogClock(from: Partial<LogClockState> = {}) {
  let { day = 0, isDated = false, seconds: last = null, isDayFirst = false } = from

  function printedDay(message: string): number | null {
    const system = SYSTEM_DATE.exec(message)
    if (system) {
      const month = monthNamed(system[1] ?? '')
      return month === null ? null : dayOf(Number(system[3]), month, Number(system[2]))
    }
    const text = printedDate(message)
    if (text === null) return null
    if (Number(text.split('/')[0]) > 12) isDayFirst = true
    return parseSlashDate(text, isDayFirst)
  }

  return {
    /**
     * The time of a line. `shift` is set once: by so many days the lines before the first date were wrong. `turnsDayFirst`: the line
     * shows that the log writes the day first.
     */
    next(line: LogLine): { time: LocalTime; isBack: boolean; shift: number | null; turnsDayFirst: boolean } {
      let isBack = false
      const wasDayFirst = isDayFirst
      if (line.day === null && last !== null && line.seconds - last > LATE_LINE) {
        const time = { day: isDated ? day - 1 : null, seconds: line.seconds, offset: line.offset }
        return { time, isBack, shift: null, turnsDayFirst: false }
      }
      if (line.day === null && last !== null && line.seconds < last) {
        if (last - line.seconds > HALF_A_DAY) day += 1
        else isBack = true
      }
      let shift: number | null = null
      const printed = line.day ?? printedDay(line.message)
      if (printed !== null) {
        if (!isDated) shift = printed - day
        else if (printed < day || (line.day === printed && printed === day && last !== null && line.seconds < last))
          isBack = true
        day = printed
        isDated = true
      }
      last = line.seconds
      const time = { day: isDated ? day : null, seconds: line.seconds, offset: line.offset }
      return { time, isBack, shift, turnsDayFirst: isDayFirst && !wasDayFirst }
    },
    /** Days since the first line, for lines before the first date. */
    relativeDay: () => day,
    isDated: () => isDated,
    state: (): LogClockState => ({ day, isDated, seconds: last, isDayFirst }),
  }
}

/** The date of `TIMESTAMP 3/9/2026`, or of `(sim) started on lic1 (linux) (3/9/2026)`. */
function printedDate(message: string): string | null {
  if (message.startsWith('TIMESTAMP ')) return SLASH_DATE.exec(message.slice('TIMESTAMP '.length))?.[0] ?? null
  const said = message.trimEnd()
  const started = said.indexOf(STARTED)
  const open = said.lastIndexOf('(')
  if (started < 0 || open < started + STARTED.length || !said.endsWith(')')) return null
  const inner = said.slice(open + 1, -1)
  return SLASH_DATE.exec(inner)?.[0] === inner ? inner : null
}

/** A line from which a log may get its date. */
export function hasPrintedDate(message: string): boolean {
  if (/^TIMESTAMP \d/.test(message)) return true
  const started = message.indexOf(STARTED)
  return started >= 0 && /\(\d/.test(message.slice(started))
}

/** A date that cannot begin with its month shows that the whole log writes the day first. */
export function showsDayFirst(message: string): boolean {
  return Number(printedDate(message)?.split('/')[0] ?? 0) > 12
}
