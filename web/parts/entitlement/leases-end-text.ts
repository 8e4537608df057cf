import { countOf, countText } from '#web/lib/format.ts'

/** The same words wherever leases that end are counted: "10 leases end within 30 days, 4 with activated seats". */
export function leasesEndText(count: number, withSeats: number, when: string): string {
  return `${countOf(count, 'lease')} ${count === 1 ? 'ends' : 'end'} ${when}, ${withSeats === 0 ? 'none' : countText(withSeats)} with activated seats`
}
