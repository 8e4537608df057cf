import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { Preset } from '#domain/calendar/presets.ts'
import { readChoice, saveChoice, type UsageChoice } from '#web/parts/usage-period/usage-period.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import type { TableViewState } from '#web/table/view/use-table-view.ts'
import { daysOf } from '#web/ui/date-range/period.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

const CLEARS_FILTERS = 'Action will clear all current filters. Do you wish to continue?'

export type UsageChoiceState = UsageChoice & {
  days: DayRange
  choose(next: Partial<UsageChoice>): void
  /** Clears the filters as well, once the person has agreed to that. */
  choosePreset(preset: Preset): Promise<void>
}

/** The range and the sessions that a table shows, as its view keeps them. */
export function useUsageChoice(
  state: TableViewState,
  { today, timeZone }: { today: CalendarDay; timeZone: string },
): UsageChoiceState {
  const choice = readChoice(state.extra, timeZone)
  const choose = (next: Partial<UsageChoice>) =>
    state.change(({ view, extra }) => ({ view, extra: saveChoice({ ...readChoice(extra, timeZone), ...next }) }))
  return {
    ...choice,
    days: daysOf(choice.period, today),
    choose,
    async choosePreset(preset) {
      const isFiltered = hasFilters(state.view)
      if (isFiltered && !(await confirm(CLEARS_FILTERS, 'Clear filters and change range'))) return
      if (isFiltered) state.clearFilters()
      choose({ period: { preset } })
    },
  }
}
