import { Button, Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { USAGE_PRESETS } from '#domain/calendar/presets.ts'
import type { UsageChoiceState } from '#web/parts/usage-period/use-usage-choice.ts'
import { DateRangeMenu } from '#web/ui/date-range/date-range-menu.tsx'
import { RangeText } from '#web/ui/date-range/range-text.tsx'

type Props = {
  choice: UsageChoiceState
  today: CalendarDay
  timeZone: string
  activeLabel: string
}

/** Date range and running sessions, above a table of sessions. */
export function UsageControls({ choice, today, timeZone, activeLabel }: Props) {
  const { period, days, isActiveOnly, choose, choosePreset } = choice
  return (
    <>
      <DateRangeMenu
        presets={USAGE_PRESETS}
        chosen={period.preset}
        today={today}
        range={days}
        onPreset={choosePreset}
        onRange={(range) => choose({ period: { range } })}
      />
      <RangeText range={days} timeZone={timeZone} />
      <Checkbox
        size="xs"
        label={activeLabel}
        checked={isActiveOnly}
        onChange={(event) => choose({ isActiveOnly: event.currentTarget.checked })}
      />
    </>
  )
}

/** What the controls are set to, in words for print. */
export function usageScope({ days, isActiveOnly }: UsageChoiceState, activeLabel: string): string {
  return `From ${days.from} to ${days.to}${isActiveOnly ? ` · ${activeLabel}` : ''}`
}

/** Why a table of sessions is empty. `noun` is what it calls one of them. */
export function noUsageText(
  { days, isActiveOnly, choose }: UsageChoiceState,
  { today, noun, activeLabel }: { today: CalendarDay; noun: string; activeLabel: string },
): ReactNode {
  if (!isActiveOnly) return `No ${noun}s from ${days.from} to ${days.to}. Choose a longer date range.`
  if (days.to >= today) return `No ${noun} is running now. Clear "${activeLabel}" to see finished ${noun}s.`
  return (
    <>
      No {noun} runs in this range.{' '}
      <Button size="compact-sm" variant="default" onClick={() => choose({ period: { preset: '1 Day' } })}>
        Show the last day
      </Button>
    </>
  )
}
