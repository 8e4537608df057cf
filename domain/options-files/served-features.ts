import { isFeature, licenseLines } from '#domain/activations/license-files/license-lines.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { ServedFeature } from '#domain/options-files/check-options.ts'
import { isSameFeature } from '#domain/options-files/reservations.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** 31-dec-2026 as a day. Null: permanent, which is also written as a date in the year 0. */
function endOf(text: string): CalendarDay | null {
  const [, date = '', month = '', year = ''] = /^(\d{1,2})-([a-z]{3})-(\d{4})$/i.exec(text) ?? []
  const index = MONTHS.indexOf(month.toLowerCase())
  if (index < 0 || Number(year) === 0) return null
  return `${year}-${String(index + 1).padStart(2, '0')}-${date.padStart(2, '0')}`
}

/** Keyword, feature, vendor daemon, version, end and seats. */
const WORDS = { feature: 1, daemon: 2, version: 3, end: 4, seats: 5 } as const

/** What each vendor daemon of a license file serves on a day. Licenses that are locked to a computer need no daemon. */
export function servedFeatures(licenseText: string, today: CalendarDay): Map<string, ServedFeature[]> {
  const daemons = new Map<string, Map<string, { feature: string; versions: string[]; seats: number | null }>>()
  for (const line of licenseLines(licenseText)) {
    if (!isFeature(line)) continue
    const word = (name: keyof typeof WORDS) => line.words[WORDS[name]] ?? ''
    const end = endOf(word('end'))
    const isCounted = /^\d{1,9}$/.test(word('seats')) && Number(word('seats')) > 0
    if (!word('daemon') || !isCounted || (end !== null && end < today)) continue
    const features = daemons.get(word('daemon')) ?? new Map()
    daemons.set(word('daemon'), features)
    const known = features.get(word('feature')) ?? { feature: word('feature'), versions: [], seats: 0 }
    features.set(word('feature'), known)
    if (!known.versions.includes(word('version'))) known.versions.push(word('version'))
    known.seats = (known.seats ?? 0) + Number(word('seats'))
  }
  return new Map([...daemons].map(([daemon, features]) => [daemon, [...features.values()]]))
}

/** The features of one vendor daemon: those of the license file, and those that the license server names and no license file gives to another. */
export function featuresOfDaemon(
  byDaemon: ReadonlyMap<string, readonly ServedFeature[]>,
  daemon: string,
  reported: readonly ServedFeature[],
): ServedFeature[] {
  const filed = [...byDaemon.values()].flat()
  const others = reported.filter((one) => !filed.some(({ feature }) => isSameFeature(feature, one.feature)))
  return [...(byDaemon.get(daemon) ?? []), ...others].sort((one, other) => (one.feature < other.feature ? -1 : 1))
}
