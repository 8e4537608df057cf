import { expect, test } from 'vitest'
import type { AccountHome } from '#contract/home/account-home.ts'
import { attentionItems } from '#web/app/home/attention-items.ts'

const HOME: AccountHome = {
  today: '2026-11-15',
  matters: [],
  moreMatters: [],
  hiddenMatters: [],
  ending: { leases: null, webLicenses: null, elastic: null, contracts: null },
  maintenanceEnded: 2,
  elasticBalances: null,
  contractBalances: null,
  runningSessions: 3,
  denials: { from: '2026-11-09', count: 4 },
  runningCheckouts: 5,
  webDenials: { from: '2026-11-09', count: 6 },
  outOfDateHosts: 7,
  seatDenials: null,
  silentServers: null,
  undeliveredEmails: 8,
  openRequests: null,
  openAlerts: 9,
}
const SCREENS = [
  'transactions',
  'elastic-denials',
  'web-transactions',
  'web-reporting',
  'activations-history',
  'ssl',
  'emails',
  'notifications',
]
const countsOf = (home: AccountHome, screens: readonly string[]) =>
  attentionItems(home, new Set(screens)).map(({ screen, count }) => [screen, count])

test('Home has a tile for every number that the person may see', () => {
  expect(countsOf(HOME, SCREENS)).toEqual([
    ['transactions', 3],
    ['elastic-denials', 4],
    ['web-transactions', 5],
    ['web-reporting', 6],
    ['activations-history', 7],
    ['ssl', 2],
    ['emails', 8],
    ['notifications', 9],
  ])
})

test('Home has no tile for a number that is missing, nor for a screen that the person cannot open', () => {
  const few = { ...HOME, maintenanceEnded: null, undeliveredEmails: null, outOfDateHosts: null }
  expect(countsOf(few, ['ssl', 'emails', 'activations-history', 'notifications'])).toEqual([['notifications', 9]])
  expect(countsOf(HOME, ['notifications'])).toEqual([['notifications', 9]])
})

test('every tile leads to its screen', () => {
  for (const { screen, to } of attentionItems(HOME, new Set(SCREENS))) expect(to.split('?')[0]).toBe(`/${screen}`)
})
