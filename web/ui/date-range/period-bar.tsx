import { Group, Switch } from '@mantine/core'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { periodBefore } from '#domain/calendar/period-before.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import type { Comparison } from '#web/ui/date-range/comparison.ts'
import { DateRangeMenu } from '#web/ui/date-range/date-range-menu.tsx'
import type { Period, PeriodChoice } from '#web/ui/date-range/period.ts'
import { RangeText } from '#web/ui/date-range/range-text.tsx'

type Props = {
  periods: PeriodChoice
  period: Period
  days: DayRange
  onChoose(period: Period): void
  comparison?: Comparison
  /** In a card the button keeps its distance from the edge; elsewhere its text starts where the content starts. */
  isInCard?: boolean
}

/** The days that a screen looks at, and the menu that changes them. */
export function PeriodBar({ periods, period, days, onChoose, comparison, isInCard }: Props) {
  const { info } = useKnownCustomer()
  return (
    <Group gap="0.5rem 0.75rem" {...(isInCard ? { ml: '0.5rem' } : { className: 'one-row' })}>
      <DateRangeMenu
        presets={periods.presets}
        chosen={period.preset}
        today={info.today}
        range={days}
        onPreset={(preset) => onChoose({ preset })}
        onRange={(range) => onChoose({ range })}
      />
      <RangeText range={days} timeZone={info.timeZone} />
      {comparison && <CompareSwitch comparison={comparison} days={days} />}
    </Group>
  )
}

/** Names the period before while it is compared with. */
export function CompareSwitch({ comparison: { isOn, toggle }, days }: { comparison: Comparison; days: DayRange }) {
  const before = periodBefore(days)
  return (
    <Switch
      size="xs"
      label={isOn ? `${COMPARE}, ${before.from} – ${before.to}` : COMPARE}
      checked={isOn}
      onChange={toggle}
    />
  )
}

const COMPARE = 'Compare with the period before'
