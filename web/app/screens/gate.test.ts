import { describe, expect, test } from 'vitest'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { type Actor, actor, type Standing } from '#domain/access/standing.ts'
import type { Portfolio } from '#web/app/customer/portfolio.ts'
import { featureSwitches } from '#web/app/screens/feature-switches.ts'
import { gate, type Situation } from '#web/app/screens/gate.ts'
import { SCREENS, type ScreenPath, screenAt } from '#web/app/screens/screens.ts'
import type { Customer } from '#web/lib/customer.tsx'

const standing: Standing = {
  customerNumber: '100001',
  contactRole: ADMINISTRATOR,
  isSalesAccess: false,
  isFNPLicenseGenerator: false,
  isAccessDisabled: false,
  exportControlStatus: 'Approved',
  orgType: 'Direct',
  holdings: { elastic: 2, ssl: true, fsa: true, sharedWeb: true, namedUser: true },
}
const ada = actor('ada.admin@aerodyne.example', ['user'])
const known = (change: Partial<Standing> = {}): Customer =>
  ({ state: 'known', number: '100001', name: 'Aerodyne Motors', standing: { ...standing, ...change } }) as Customer
const none: Customer = { state: 'none' }
const many: Portfolio = { state: 'many' }

function verdict(path: ScreenPath, customer: Customer, portfolio: Portfolio = many, who: Actor = ada): string {
  const situation: Situation = { actor: who, features: featureSwitches([]), customer, portfolio }
  const found = gate(screenAt(path), situation)
  return found.kind === 'go' ? found.to : found.kind
}

describe('a screen for staff', () => {
  test.each([
    ['busops', 'show'],
    ['support', 'show'],
    ['admin', 'show'],
    ['sales', '/nopermissions'],
    ['user', '/nopermissions'],
  ])('is for %s: %s, with or without an account', (role, expected) => {
    const who = actor('somebody@vendor.example', [role])
    for (const customer of [known(), none]) expect(verdict('operations', customer, many, who)).toBe(expected)
  })
})

describe('a screen is shown, or something else instead', () => {
  test.each<[path: ScreenPath, customer: Customer, portfolio: Portfolio, expected: string]>([
    ['elastic', known(), many, 'show'],
    ['elastic', known({ exportControlStatus: '' }), many, 'show'],
    ['elastic', known({ exportControlStatus: 'Pending' }), many, '/noaccess'],
    ['home', known({ exportControlStatus: 'Pending' }), many, '/noaccess'],
    ['elastic', known({ orgType: 'Undefined' }), many, '/notypecustomer'],
    ['home', known({ orgType: 'Undefined' }), many, '/notypecustomer'],
    ['elastic', known({ orgType: 'Indirect' }), many, 'show'],
    ['emails', known({ orgType: 'Indirect' }), many, '/notypecustomer'],
    ['emails', known({ orgType: 'Channel' }), many, 'show'],
    ['emails', known({ isAccessDisabled: true }), many, '/nopermissions'],
    ['ssl', known({ isAccessDisabled: true }), many, '/nopermissions'],
    ['elastic', known({ isAccessDisabled: true }), many, 'show'],
    ['clscredentials', known({ isAccessDisabled: true }), many, '/nopermissions'],
    ['activations', known(), many, 'show'],
    ['activations', known({ isAccessDisabled: true }), many, '/'],
    ['activations', known({ holdings: { ...standing.holdings, ssl: false } }), many, '/'],
    ['elastic', none, many, '/noselectedcustomer'],
    ['home', none, many, 'show'],
    ['home', none, { state: 'none' }, '/nocustomer'],
    ['elastic', none, { state: 'none' }, '/nocustomer'],
    ['home', none, { state: 'single', account: { number: '100006', name: 'Blue Water' } }, 'wait'],
    ['home', none, { state: 'asking' }, 'wait'],
    ['home', none, { state: 'failed', failure: new Error(), retry() {} }, 'failed'],
    ['elastic', { state: 'asking', number: '100002' }, many, 'wait'],
    ['elastic', { state: 'unknown', number: '999999' }, many, 'wait'],
    ['elastic', { state: 'failed', number: '1', failure: new Error(), retry() {} }, many, 'failed'],
    ['notifications', none, { state: 'none' }, 'show'],
    ['notifications', known({ exportControlStatus: 'Pending' }), many, 'show'],
  ])('%s with %o and %o leads to %s', (path, customer, portfolio, expected) => {
    expect(verdict(path, customer, portfolio)).toBe(expected)
  })

  test('staff are led to Home while there are no accounts', () => {
    const olivia = actor('olivia.ops@vendor.example', ['user', 'busops'])
    expect(verdict('home', none, { state: 'none' }, olivia)).toBe('show')
    expect(verdict('elastic', none, { state: 'none' }, olivia)).toBe('/home')
  })

  test('a route whose feature flag is off does not exist', () => {
    const off = [{ name: 'notifications', description: '', enabled: false, conflicts: [] }]
    const situation: Situation = { actor: ada, features: featureSwitches(off), customer: known(), portfolio: many }
    for (const path of ['notifications', 'notification-details/:id', 'notifications-category/:category'] as const)
      expect(gate(screenAt(path), situation)).toEqual({ kind: 'go', to: '/error/404' })
    expect(gate(screenAt('elastic'), situation)).toEqual({ kind: 'show' })
  })

  test('every screen that works on a customer says which right it needs', () => {
    for (const screen of SCREENS.filter((one) => one.customer === 'needed'))
      expect(screen.action, screen.path).toBeDefined()
  })
})
