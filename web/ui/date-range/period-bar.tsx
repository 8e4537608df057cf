import { Group } from '@mantine/core'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { DateRangeMenu } from '#web/ui/date-range/date-range-menu.tsx'
import type { Period, PeriodChoice } from '#web/ui/date-range/period.ts'
import { RangeText } from '#web/ui/date-range/range-text.tsx'

type Props = { periods: PeriodChoice; period: Period; days: DayRange; onChoose(period: Period): void }

/** The days that a screen looks at, and the menu that changes them. */
export function PeriodBar({ periods, period, days, onChoose }: Props) {
  const { info } = useKnownCustomer()
  return (
    <Group gap="0.5rem 0.75rem">
      <DateRangeMenu
        presets={periods.presets}
        chosen={period.preset}
        today={info.today}
        range={days}
        onPreset={(preset) => onChoose({ preset })}
        onRange={(range) => onChoose({ range })}
      />
      <RangeText range={days} timeZone={info.timeZone} />
    </Group>
  )
}
