import { describe, expect, test } from 'vitest'
import { readChoice, saveChoice, usageDemands } from '#web/parts/usage-period/usage-period.ts'

describe('the days of a screen of sessions', () => {
  test.each([
    [{}, { preset: '1 Day' }],
    [{ dateRange: 'Last quarter' }, { preset: 'Last quarter' }],
    [{ dateRange: 'Last two weeks' }, { preset: '1 Day' }],
    [{ dateRange: 'toString' }, { preset: '1 Day' }],
    [{ startDate: '2026-10-01', endDate: '2026-10-31' }, { range: { from: '2026-10-01', to: '2026-10-31' } }],
    // Dates count before a name.
    [
      { startDate: '2026-10-01', endDate: '2026-10-31', dateRange: 'Max' },
      { range: { from: '2026-10-01', to: '2026-10-31' } },
    ],
    [
      { startDate: '2026-09-30T22:00:00.000Z', endDate: '2026-10-31T22:59:59.999Z' },
      { range: { from: '2026-10-01', to: '2026-10-31' } },
    ],
    [{ startDate: '2026-10-31', endDate: '2026-10-01', dateRange: 'Max' }, { preset: 'Max' }],
    [{ startDate: '2026-10-01' }, { preset: '1 Day' }],
    [{ startDate: 'soon', endDate: 'later' }, { preset: '1 Day' }],
  ])('saved as %j they come back as %j', (saved, period) => {
    expect(readChoice(saved, 'Europe/Berlin')).toEqual({ period, isActiveOnly: false })
  })

  test('the default needs nothing saved, everything else comes back as it was', () => {
    expect(saveChoice({ period: { preset: '1 Day' }, isActiveOnly: false })).toEqual({})
    for (const period of [{ preset: 'YTD' as const }, { range: { from: '2026-01-05', to: '2026-02-01' } }])
      for (const isActiveOnly of [true, false])
        expect(readChoice(saveChoice({ period, isActiveOnly }), 'UTC')).toEqual({ period, isActiveOnly })
  })

  test('requests sessions that overlap these days', () => {
    const fields = { start: 'began', end: 'ended', active: 'runs' }
    const period = { preset: '1 Day' } as const
    const day = { today: '2026-11-15', timeZone: 'Europe/Berlin' }
    expect(usageDemands(fields, { period, isActiveOnly: false }, day)).toEqual([
      { name: 'ended', method: 'AFTER', value: '2026-11-13T23:00:00.000Z' },
      { name: 'began', method: 'BEFORE', value: '2026-11-15T22:59:59.999Z' },
    ])
    expect(usageDemands(fields, { period, isActiveOnly: true }, day)).toContainEqual({
      name: 'runs',
      method: 'EQUALS',
      value: true,
    })
  })
})
