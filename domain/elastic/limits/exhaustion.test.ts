import { expect, test } from 'vitest'
import { exhaustionOf, exhaustionText } from '#domain/elastic/limits/exhaustion.ts'
import type { Limit } from '#domain/elastic/limits/limit.ts'

const TODAY = '2026-11-10'

test.each<[what: string, limit: Partial<Limit>, used: string, recent: string, since: string | null, text: string]>([
  ['used up today', {}, '100.00', '30.00', '2026-10-11', 'Used up'],
  ['more than used up', {}, '120.00', '30.00', '2026-10-11', 'Used up'],
  ['10 left at 1 a day', {}, '90.00', '30.00', '2026-10-11', '2026-11-20'],
  ['10.01 left at 1 a day', {}, '89.99', '30.00', '2026-10-11', '2026-11-21'],
  ['10 left at 5 a day since two days', {}, '90.00', '10.00', '2026-11-08', '2026-11-12'],
  ['the next month comes first', {}, '79.00', '30.00', '2026-10-11', 'Not used up before it resets'],
  ['the limit ends first', { to: '2026-11-12' }, '90.00', '30.00', '2026-10-11', 'Not used up before it resets'],
  ['in all, far away', { period: 'all' }, '0.00', '0.01', '2026-10-11', 'Not used up before it resets'],
  ['in all, next year', { period: 'all' }, '40.00', '30.00', '2026-10-11', '2027-01-09'],
  ['a limit per day', { period: 'day' }, '10.00', '30.00', '2026-10-11', '—'],
  ['nothing was used lately', {}, '10.00', '0.00', null, '—'],
  ['corrections took more back', {}, '10.00', '-3.00', '2026-10-11', '—'],
  ['only warns', { refuseAt: null }, '10.00', '30.00', '2026-10-11', '—'],
])('a limit of 100 is used up: %s', (_, changes, used, recent, since, text) => {
  const limit = { period: 'month' as const, to: null, refuseAt: '100', ...changes }
  expect(exhaustionText(exhaustionOf(limit, used, { recent, since }, TODAY))).toBe(text)
})
