import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendar, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { Preset } from '#domain/calendar/presets.ts'
import { Menu } from '#web/ui/overlays/menu.tsx'

/** Loaded on demand, because the calendar is a large library. */
const RangeDialog = lazy(async () => ({
  default: (await import('#web/ui/date-range/range-dialog.tsx')).RangeDialog,
}))

const CUSTOM = 'Custom'

type Props = {
  presets: readonly Preset[]
  /** Undefined for a custom range. */
  chosen: Preset | undefined
  today: CalendarDay
  /** The range in force. */
  range: DayRange
  onPreset(preset: Preset): void
  onRange(range: DayRange): void
}

/** Presets, and a custom range by its first and last day. */
export function DateRangeMenu({ presets, chosen, today, range, onPreset, onRange }: Props) {
  const [isChoosing, choose] = useDisclosure(false)
  const mark = (name: string) => (
    <IconCheck size={14} aria-hidden visibility={name === (chosen ?? CUSTOM) ? 'visible' : 'hidden'} />
  )
  return (
    <>
      <Menu
        position="bottom-start"
        button={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCalendar size={15} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={`Date range: ${chosen ?? CUSTOM}`}
          >
            {chosen ?? CUSTOM}
          </Button>
        }
      >
        {presets.map((preset) => (
          <Menu.Item key={preset} leftSection={mark(preset)} onClick={() => onPreset(preset)}>
            {preset}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={mark(CUSTOM)} onClick={choose.open}>
          {CUSTOM}
        </Menu.Item>
      </Menu>
      {isChoosing && (
        <Suspense>
          <RangeDialog today={today} range={range} onChoose={onRange} onClose={choose.close} />
        </Suspense>
      )}
    </>
  )
}
