import { formatLocalTime, type LocalTime } from '#domain/license-use/logs/local-time.ts'
import { createLogClock } from '#domain/license-use/logs/log-clock.ts'
import { parseLogLine } from '#domain/license-use/logs/log-line.ts'
import { createRepeatedRuns } from '#domain/license-use/logs/repeated-runs.ts'
import type { TextLine } from '#domain/license-use/text-lines.ts'

const DAY_SECONDS = 86_400

/** A line and those that go on with it. `order`: its second, or that of an earlier line if the clock was set back between them. */
type DatedLine = { readonly order: number; readonly text: string }

/**
 * One log of several that overlap, such as rotated files, in the order of time. Lines that several logs have count once: of equal
 * lines, as many are kept as the log has that has the most. Lines of logs without a date are left out.
 */
export function mergeLogs(logs: readonly (readonly TextLine[])[], isDayFirst: boolean): string[] {
  const seconds = new Map<number, string[][]>()
  for (const log of logs)
    for (const [order, lines] of Map.groupBy(dateLines(log, isDayFirst), (line) => line.order))
      seconds.set(order, [...(seconds.get(order) ?? []), lines.map(({ text }) => text)])
  return [...seconds]
    .sort(([one], [other]) => one - other)
    .flatMap(([, lists]) => mergeSecond(lists))
    .flatMap((text) => text.split('\n'))
}

/** The lines of one second: those of the log that has the most, and then what only others have. */
function mergeSecond(lists: readonly string[][]): string[] {
  const [most = [], ...others] = lists.toSorted((one, other) => other.length - one.length)
  const merged = [...most]
  for (const list of others) {
    const known = Map.groupBy(merged, (line) => line)
    for (const line of list) if (!known.get(line)?.pop()) merged.push(line)
  }
  return merged
}

function dateLines(lines: readonly TextLine[], isDayFirst: boolean): DatedLine[] {
  const clock = createLogClock({ isDayFirst })
  const found: { time: LocalTime & { day: number }; said: string }[] = []
  function take(text: string): void {
    const line = parseLogLine(text)
    const last = found.at(-1)
    if (!line) {
      if (last) last.said += `\n${text}`
      return
    }
    const { time, shift } = clock.next(line)
    if (shift !== null) for (const one of found) one.time = { ...one.time, day: one.time.day + shift }
    found.push({
      time: { ...time, day: time.day ?? clock.relativeDay() },
      said: `(${line.daemon}) ${line.message}`,
    })
  }
  const runs = createRepeatedRuns(take, () => {})
  for (const [index, { text, isComplete }] of lines.entries())
    if (isComplete && text.trim()) runs.read(text, index, isComplete, parseLogLine(text)?.seconds ?? null)
  runs.end()
  if (!clock.isDated()) return []
  let order = Number.NEGATIVE_INFINITY
  return found.map(({ time, said }) => {
    order = Math.max(order, time.day * DAY_SECONDS + time.seconds)
    return { order, text: `${formatLocalTime(time)} ${said}` }
  })
}
