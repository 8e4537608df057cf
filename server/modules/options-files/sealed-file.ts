import { createHash } from 'node:crypto'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

export type Seal = {
  readonly daemon: string
  readonly version: number
  readonly edition: number
  readonly day: CalendarDay
}

/**
 * A file with a last line that says which one it is, with length and hash of everything before: whoever installs it sees that it is
 * whole and newer, and whoever reads it later sees which one is installed. The collector reads this line.
 */
export function sealFile(text: string, { daemon, version, edition, day }: Seal): string {
  const facts = { daemon, version, edition, day, bytes: Buffer.byteLength(text), sha256: sha256Of(text) }
  const words = Object.entries(facts).map(([name, value]) => `${name}=${value}`)
  return `${text}# licensing-portal ${words.join(' ')}\n`
}
