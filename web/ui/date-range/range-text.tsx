import { Text } from '@mantine/core'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { dateFigures } from '#web/ui/figures.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** The days of a range, with the time zone of the account if it differs from the reader's. */
export function RangeText({ range, timeZone }: { range: DayRange; timeZone: string }) {
  const isElsewhere = Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone
  return (
    <Text size="sm" component="span" className="figures">
      From: <time dateTime={range.from}>{dateFigures(range.from)}</time> To:{' '}
      <time dateTime={range.to}>{dateFigures(range.to)}</time>
      {isElsewhere && (
        <Tooltip label="Days are in the time zone of the account. Times are in your time zone.">
          <Text inherit component="span" c="dimmed">
            {` (${timeZone})`}
          </Text>
        </Tooltip>
      )}
    </Text>
  )
}
