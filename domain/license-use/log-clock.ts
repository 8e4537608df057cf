import type { LocalTime } from '#domain/license-use/local-time.ts'
import { dayOf, monthNamed, parseSlashDate } from '#domain/license-use/local-time.ts'
import type { LogLine } from '#domain/license-use/log-line.ts'

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
const PRINTED_DATE = [/^TIMESTAMP (\d{1,2}\/\d{1,2}\/\d{4})/, / started on .*\((\d{1,2}\/\d{1,2}\/\d{4})\)\s*$/]
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
    for (const pattern of PRINTED_DATE) {
      const text = pattern.exec(message)?.[1]
      if (text === undefined) continue
      if (Number(text.split('/')[0]) > 12) isDayFirst = true
      return parseSlashDate(text, isDayFirst)
    }
    return null
  }

  return {
    /** The time of a line. `shift` is set once: by so many days the lines before the first date were wrong. */
    next(line: LogLine): { time: LocalTime; isBack: boolean; shift: number | null } {
      let isBack = false
      if (line.day === null && last !== null && line.seconds - last > LATE_LINE) {
        const time = { day: isDated ? day - 1 : null, seconds: line.seconds, offset: line.offset }
        return { time, isBack, shift: null }
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
      return { time: { day: isDated ? day : null, seconds: line.seconds, offset: line.offset }, isBack, shift }
    },
    /** Days since the first line, for lines before the first date. */
    relativeDay: () => day,
    isDated: () => isDated,
    state: (): LogClockState => ({ day, isDated, seconds: last, isDayFirst }),
  }
}

/** A date that cannot begin with its month shows that the whole log writes the day first. */
export function showsDayFirst(message: string): boolean {
  return PRINTED_DATE.some((pattern) => Number(pattern.exec(message)?.[1]?.split('/')[0] ?? 0) > 12)
}
