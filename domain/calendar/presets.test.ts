import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { isPreset, type Preset, presetRange, STATEMENT_PRESETS, USAGE_PRESETS } from '#domain/calendar/presets.ts'

describe('a named range follows from the account’s today', () => {
  test.each<[preset: Preset, today: string, from: string, to: string]>([
    ['1 Day', '2026-11-15', '2026-11-14', '2026-11-15'],
    ['1 Day', '2026-01-01', '2025-12-31', '2026-01-01'],
    ['5 Days', '2026-03-03', '2026-02-26', '2026-03-03'],
    ['1 Month', '2026-11-15', '2026-10-15', '2026-11-15'],
    ['1 Month', '2026-03-31', '2026-02-28', '2026-03-31'],
    ['1 Month', '2028-03-31', '2028-02-29', '2028-03-31'],
    ['3 Months', '2026-02-15', '2025-11-15', '2026-02-15'],
    ['6 Months', '2026-08-31', '2026-02-28', '2026-08-31'],
    ['YTD', '2026-11-15', '2026-01-01', '2026-11-15'],
    ['YTD', '2026-01-01', '2026-01-01', '2026-01-01'],
    ['1 Year', '2028-02-29', '2027-02-28', '2028-02-29'],
    ['2 Years', '2026-11-15', '2024-11-15', '2026-11-15'],
    ['Max', '2026-11-15', '2018-01-01', '2026-11-15'],
    ['Today', '2026-11-15', '2026-11-15', '2026-11-15'],
    ['Yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
    // 2026-11-15 is a Sunday, 2026-11-16 a Monday.
    ['This week', '2026-11-15', '2026-11-09', '2026-11-15'],
    ['This week', '2026-11-16', '2026-11-16', '2026-11-16'],
    ['Last week', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['Last week', '2026-11-16', '2026-11-09', '2026-11-15'],
    ['Last two weeks', '2026-11-15', '2026-10-26', '2026-11-08'],
    ['This month', '2026-11-15', '2026-11-01', '2026-11-15'],
    ['Last month', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['Last month', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['This quarter', '2026-11-15', '2026-10-01', '2026-11-15'],
    ['Last quarter', '2026-11-15', '2026-07-01', '2026-09-30'],
    ['Last quarter', '2026-02-15', '2025-10-01', '2025-12-31'],
    ['This year', '2026-11-15', '2026-01-01', '2026-11-15'],
    ['Last year', '2026-11-15', '2025-01-01', '2025-12-31'],
  ])('%s on %s is %s to %s', (preset, today, from, to) => {
    expect(presetRange(preset, today)).toEqual({ from, to })
  })

  test('no named range starts after its end or ends after today', () => {
    const presets = fc.constantFrom(...USAGE_PRESETS, ...STATEMENT_PRESETS, '2 Years' as const, 'This quarter' as const)
    fc.assert(
      fc.property(presets, fc.integer({ min: 0, max: 20_000 }), (preset, days) => {
        const today = addDays('2018-01-02', days)
        const { from, to } = presetRange(preset, today)
        expect(from <= to && to <= today).toBe(true)
      }),
    )
  })

  test('a statement has the periods of quarters and years beside those that it always had', () => {
    const always = ['Last month', 'Last two weeks', 'Last week', 'This month', 'This week', 'Today', 'Yesterday']
    expect(STATEMENT_PRESETS).toEqual([...always, 'Last quarter', 'Last year', 'YTD'])
    expect(USAGE_PRESETS).toEqual(expect.arrayContaining(['Last quarter', 'Last year', 'YTD']))
  })

  test('accepts exact preset names only', () => {
    expect(isPreset('Last month')).toBe(true)
    for (const name of ['last month', 'toString', 'Custom', '']) expect(isPreset(name)).toBe(false)
  })
})
