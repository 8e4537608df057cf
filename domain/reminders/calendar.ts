import { addDays } from '#domain/calendar/calendar-day.ts'
import type { Ending } from '#domain/reminders/due-reminders.ts'

type Calendar = {
  readonly name: string
  /** The host name of the portal: ids of entries are unique in the world. */
  readonly host: string
  readonly now: Date
  readonly endings: readonly Ending[]
}

/** The end dates of an account as iCalendar text (RFC 5545): one all-day entry for each. */
export function calendarText({ name, host, now, endings }: Calendar): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const entries = endings.flatMap(({ activationId, product, quantity, endsOn }) => [
    'BEGIN:VEVENT',
    `UID:${escaped(activationId)}@${host}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${compact(endsOn)}`,
    `DTEND;VALUE=DATE:${compact(addDays(endsOn, 1))}`,
    `SUMMARY:${escaped(`${product} ends`)}`,
    `DESCRIPTION:${escaped(`Activation ID ${activationId}\nQuantity ${quantity.toLocaleString('en-US')}\nThis is the last day.`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Licensing Portal//End dates//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    ...entries,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const compact = (day: string) => day.replaceAll('-', '')

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ')
}

const MAX_OCTETS = 75

/** A line has at most 75 octets. What is longer goes on in the next line, after a blank. Characters are not cut. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > MAX_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}

/** In UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
