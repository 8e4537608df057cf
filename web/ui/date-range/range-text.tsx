import { Text } from '@mantine/core'
import type { DayRange } from '#domain/calendar/day-range.ts'

/** The days of a range; with the account's zone where the reader's own days are others. */
export function RangeText({ range, timeZone }: { range: DayRange; timeZone: string }) {
  const isElsewhere = Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone
  return (
    <Text size="sm" component="span" className="figures">
      From: <time dateTime={range.from}>{range.from}</time> To: <time dateTime={range.to}>{range.to}</time>
      {isElsewhere && (
        <Text
          inherit
          component="span"
          c="dimmed"
          title="Days are those of the account’s time zone; times are your own."
        >
          {` (${timeZone})`}
        </Text>
      )}
    </Text>
  )
}
