import { expect, test } from 'vitest'
import type { HomeMatter } from '#contract/home/account-home.ts'
import { denialsOf, rowsOf } from '#web/app/home/home-links.ts'

const about = { subject: 'it', user: 'eve@a.example' }

test.each<[kind: HomeMatter['kind'], screen: string, filters: Record<string, string>]>([
  ['ADDRESS_DENIED', '/elastic-denials', { ReasonText: 'IP address not allowed', REFERER_IP_ADDRESS: 'it' }],
  ['USER_DENIED', '/elastic-denials', { ReasonText: 'Username not allowed', User: 'it' }],
  ['PRODUCT_DENIED', '/elastic-denials', { ReasonText: 'Unknown product', Product: 'it' }],
  ['PIN_DENIED', '/elastic-denials', { ReasonText: 'Wrong license server id or PIN' }],
  ['CHECKOUT_DENIED', '/web-reporting', { reasonText: 'No seat free', product: 'it' }],
  ['CHECKOUT_UNASSIGNED', '/web-reporting', { reasonText: 'User not assigned', product: 'it', email: 'eve@a.example' }],
  ['SEATS_DENIED', '/license-use', { meaning: 'Denial (no seat within a minute)', feature: 'it' }],
  ['CHECKOUT_EXPIRED', '/web-reporting', { reasonText: 'License expired', product: 'it' }],
])('%s leads to its denials of the last 7 days on %s', (kind, screen, filters) => {
  const address = new URL(denialsOf({ ...about, kind }, '2026-11-15') ?? '', 'http://portal')
  const { searchParams: search } = address
  expect([address.pathname, search.get('startDate'), search.get('endDate')]).toEqual([
    screen,
    '2026-11-09',
    '2026-11-15',
  ])
  const shown = JSON.parse(search.get('filter') ?? search.get('denial.filter') ?? '{}')
  const values = Object.entries(shown as Record<string, { values?: string[]; filter?: string }>)
  expect(Object.fromEntries(values.map(([id, one]) => [id, one.values?.join() ?? one.filter]))).toEqual(filters)
})

test('without a subject, a kind leads to all of its denials', () => {
  const address = denialsOf({ kind: 'USER_DENIED', subject: '', user: '' }, '2026-11-15') ?? ''
  expect(new URL(address, 'http://portal').searchParams.get('filter')).toBe(
    '{"ReasonText":{"filterType":"set","values":["Username not allowed"]}}',
  )
})

test('other matters have no denials, but rows', () => {
  expect(denialsOf({ ...about, kind: 'LEASES_END' }, '2026-11-15')).toBe(undefined)
  expect(rowsOf({ ...about, kind: 'LEASES_END' }, '2026-11-15')).toMatch(/^\/ssl\?/)
  expect(rowsOf({ ...about, kind: 'REQUESTS_WAIT' }, '2026-11-15')).toBe(undefined)
})
