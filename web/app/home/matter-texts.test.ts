import { expect, test } from 'vitest'
import type { HomeMatter } from '#contract/home/account-home.ts'
import { groupTexts, matterTexts } from '#web/app/home/matter-texts.ts'

const matter = (values: Partial<HomeMatter> & Pick<HomeMatter, 'kind'>): HomeMatter => ({
  key: values.kind,
  subject: '',
  server: '',
  user: '',
  users: 0,
  count: 1,
  withSeats: 0,
  day: null,
  ...values,
})

test.each<[text: string, matter: HomeMatter]>([
  [
    '9 leases end within 30 days, 4 with activated seats',
    matter({ kind: 'LEASES_END', count: 9, withSeats: 4, day: '2026-12-01' }),
  ],
  [
    '1 lease ends within 30 days, 1 with activated seats',
    matter({ kind: 'LEASES_END', withSeats: 1, day: '2026-12-01' }),
  ],
  ['3 license files are out of date', matter({ kind: 'FILES_OUT_OF_DATE', count: 3 })],
  ['198.51.100.4 was denied 12 times', matter({ kind: 'ADDRESS_DENIED', subject: '198.51.100.4', count: 12 })],
  ['eve was denied once', matter({ kind: 'USER_DENIED', subject: 'eve' })],
  ['5 session starts were denied', matter({ kind: 'PIN_DENIED', count: 5 })],
  ['Optics was denied 3 times', matter({ kind: 'CHECKOUT_DENIED', subject: 'Optics', count: 3 })],
  ['Optics was denied once', matter({ kind: 'CHECKOUT_EXPIRED', subject: 'Optics' })],
  [
    'eve@a.example was denied Optics 2 times',
    matter({ kind: 'CHECKOUT_UNASSIGNED', subject: 'Optics', user: 'eve@a.example', users: 1, count: 2 }),
  ],
  ['anshpc: 4 denials on license servers', matter({ kind: 'SEATS_DENIED', subject: 'anshpc', count: 4 })],
  ['1 license server has not reported for a day', matter({ kind: 'SERVERS_SILENT' })],
  ['Elastic units last until 12 December', matter({ kind: 'UNITS_RUN_OUT', day: '2026-12-12' })],
  ['Elastic units (AEC) last until 12 December', matter({ kind: 'UNITS_RUN_OUT', subject: 'AEC', day: '2026-12-12' })],
  ['203.0.113.9 was locked after 10 wrong PINs', matter({ kind: 'LOCK_ENDED', subject: '203.0.113.9', count: 10 })],
  ['Access review: 1,028 not decided', matter({ kind: 'ACCESS_UNDECIDED', count: 1028, day: '2026-12-12' })],
  ['Access review: everything is decided', matter({ kind: 'REVIEW_UNFINISHED', day: '2026-12-12' })],
  ['Elastic units have ended', matter({ kind: 'UNITS_ENDED', day: '2026-11-12' })],
])('a line of the work list says "%s"', (text, one) => {
  expect(matterTexts(one).text).toBe(text)
})

test.each<[kind: HomeMatter['kind'], reason: string]>([
  ['ADDRESS_DENIED', 'In the last 7 days. The account’s IP rules did not allow the address.'],
  ['USER_DENIED', 'In the last 7 days. The username was not in the account’s list of allowed usernames.'],
  ['PRODUCT_DENIED', 'In the last 7 days. The product was not in the rate table.'],
  ['PIN_DENIED', 'In the last 7 days. The license server id or the PIN was wrong.'],
  ['CHECKOUT_DENIED', 'In the last 7 days. All seats of this product were in use.'],
  ['CHECKOUT_UNASSIGNED', 'In the last 7 days. The user was not assigned to a web license of this product.'],
  ['CHECKOUT_EXPIRED', 'In the last 7 days. All web licenses of this product had expired.'],
])('the reason of %s is told in the past', (kind, reason) => {
  expect(matterTexts(matter({ kind })).reason).toBe(reason)
})

const unassigned = (...users: string[]) =>
  users.map((user) => matter({ kind: 'CHECKOUT_UNASSIGNED', subject: 'Optics', user }))
const features = (...subjects: string[]) => subjects.map((subject) => matter({ kind: 'SEATS_DENIED', subject }))

test.each<[text: string, reason: string, matters: HomeMatter[], more: number]>([
  ['2 people need a web license', 'eve, bob', unassigned('eve', 'bob', 'eve'), 0],
  ['4 features had no free seat', 'a, b, c and 1 more', features('a', 'b', 'c', 'd'), 0],
  ['More than 4 features had no free seat', 'a, b, c and others', features('a', 'b', 'c', 'd'), 3],
  [
    '2 addresses were denied',
    '192.0.2.1, 192.0.2.2',
    ['192.0.2.1', '192.0.2.2'].map((subject) => matter({ kind: 'ADDRESS_DENIED', subject })),
    0,
  ],
])('the line of a group says "%s"', (text, reason, [first, ...others], more) => {
  expect(groupTexts({ matters: [first as HomeMatter, ...others], more })).toEqual({ text, reason })
})
