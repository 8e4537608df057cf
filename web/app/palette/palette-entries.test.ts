import { expect, test } from 'vitest'
import type { Hit } from '#contract/search/search.ts'
import { hitSections, screenEntries } from '#web/app/palette/palette-entries.ts'

const MENU = [
  { title: 'Home' as const, entries: [{ path: 'home' as const, title: 'Home', about: 'What needs attention' }] },
  {
    title: 'Settings' as const,
    entries: [
      { path: 'portalaccess' as const, title: 'Licensing Portal Access', about: 'Contacts and their roles' },
      { path: 'reminders' as const, title: 'Reminders', about: 'Emails before licenses end' },
    ],
  },
  {
    title: 'Messages' as const,
    entries: [
      { path: 'emails' as const, title: 'Emails', about: 'Emails that were sent to the account' },
      { path: 'notifications' as const, title: 'Alerts', about: 'Outages', synonyms: 'incident' },
    ],
  },
]

test.each([
  ['', ['home', 'portalaccess', 'reminders', 'emails', 'notifications']],
  ['email', ['emails', 'reminders']],
  ['messages al', ['notifications']],
  ['roles', ['portalaccess']],
  ['incident', ['notifications']],
  ['xyz', []],
])('"%s" finds the screens %j', (typed, screens) => {
  expect(screenEntries(MENU, typed, '1').map(({ screen }) => screen)).toEqual(screens)
})

const hit = (change: Partial<Hit>): Hit => ({
  kind: 'entitlement',
  customerNumber: '1',
  customerName: 'One',
  id: 'a-1',
  title: 'Fluid Flow',
  type: 'SSL',
  detail: '',
  ...change,
})
const place = { number: '1', pathname: '/emails' }
const open = () => true

test.each<[what: string, hit: Partial<Hit>, to: RegExp]>([
  ['an entitlement', {}, /^\/ssl\?active\.filter=.*a-1.*inactive\.filter=.*a-1.*customer=1$/],
  ['elastic units', { type: 'ELASTIC' }, /^\/elastic\?/],
  ['a spending account', { type: 'FSA' }, /^\/entitlementsFSA\?/],
  ['a product', { kind: 'product', id: 'Fluid Flow' }, /^\/ssl\?.*equals/],
  ['a host', { kind: 'host', id: '00aa', type: null }, /^\/license-servers\/00aa\?customer=1$/],
  ['an elastic server of another account', { kind: 'elastic server', customerNumber: '2', type: null }, /customer=2$/],
  [
    'a denied address',
    { kind: 'denied address', id: '198.18.0.7', type: null },
    /^\/elastic-denials\?filter=.*198\.18\.0\.7.*dateRange=1\+Month&customer=1$/,
  ],
  [
    'a denied user',
    { kind: 'denied user', id: 'eve', type: null },
    /^\/elastic-denials\?filter=.*User.*eve.*dateRange=1\+Month&customer=1$/,
  ],
  ['a project', { kind: 'project', id: 'Wing', type: null }, /^\/transactions\?filter=.*Project.*Wing.*customer=1$/],
  ['a contact', { kind: 'contact', id: 'a@b.example', type: null }, /^\/portalaccess\?find=a%40b\.example&customer=1$/],
  ['a grant', { kind: 'grant', id: 'a@b.example', type: null }, /^\/portalaccess\?customer=1$/],
  [
    'a web user',
    { kind: 'web user', id: 'a@b.example', type: null },
    /^\/f1202990\?user\.filter=.*tab=users&customer=1$/,
  ],
  ['a support address', { kind: 'support address', id: 'a@b.example', type: null }, /^\/home\?customer=1$/],
  ['an account stays on the screen', { kind: 'account', customerNumber: '2', type: null }, /^\/emails\?customer=2$/],
])('%s leads to its screen', (_, change, to) => {
  const [section] = hitSections([hit(change)], place, open)
  expect(section?.entries[0]?.to).toMatch(to)
})

test('a hit on another account says which, and one whose screen is switched off is left out', () => {
  const hits = [hit({}), hit({ customerNumber: '2', customerName: 'Two', detail: 'Order 7' })]
  const [section] = hitSections(hits, place, open)
  expect(section?.entries.map(({ detail }) => detail)).toEqual(['a-1', 'a-1 · Order 7 · Two (2)'])
  expect(hitSections(hits, place, (screen) => screen !== 'ssl')).toEqual([])
})

test('a web user is shown by the form of the assignments that the person has', () => {
  const user = hit({ kind: 'web user', id: 'a@b.example', type: null })
  const [section] = hitSections([user], place, (screen) => screen !== 'f1202990')
  expect(section?.entries[0]?.to).toMatch(/^\/web-assignments\?user\.filter=.*a%40b\.example.*&tab=users&customer=1$/)
})
