import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'

/**
 * A debug log of so many bytes over so many days, in parts: 40 features and 300 users; a seat is out for some minutes, and one
 * request of a hundred is denied.
 */
export function* debugLog(
  size: number,
  { from, days, part }: { from: CalendarDay; days: number; part: number },
): Generator<Uint8Array<ArrayBuffer>> {
  const linesPerDay = size / 66 / days
  const out: { who: string; until: number }[] = []
  let text = ''
  let made = 0
  let length = 0
  for (let day = 0; length < size; day++) {
    const [year, month, date] = addDays(from, day).split('-').map(Number)
    for (let line = 0; line < linesPerDay && length < size; line++) {
      const second = Math.floor((line / linesPerDay) * 86_400)
      const clock = `${Math.floor(second / 3600)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`
      if (line % 20_000 === 0) text += `${clock} (lmgrd) TIMESTAMP ${month}/${date}/${year}\n`
      const due = out[0] && out[0].until <= made ? out.shift() : undefined
      if (due) text += `${clock} (ansyslmd) IN: ${due.who}  \n`
      else {
        const who = `"feature_${made % 40}" user${(made * 7) % 300}@workstation-${(made * 7) % 300}`
        if (made % 100 === 99)
          text += `${clock} (ansyslmd) DENIED: ${who}  (Licensed number of users already reached. (-4,342))\n`
        else {
          text += `${clock} (ansyslmd) OUT: ${who}  \n`
          out.push({ who, until: made + 400 })
        }
        made++
      }
      if (text.length >= part) {
        const bytes = new TextEncoder().encode(text.slice(0, Math.min(part, size - length)))
        text = text.slice(bytes.length)
        length += bytes.length
        yield bytes
      }
    }
  }
}
const two = (value: number) => String(value).padStart(2, '0')
