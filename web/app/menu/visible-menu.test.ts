import { describe, expect, test } from 'vitest'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import { visibleMenu } from '#web/app/menu/visible-menu.ts'
import { featureSwitches } from '#web/app/screens/feature-switches.ts'
import { SCREENS } from '#web/app/screens/screens.ts'
import type { MenuGroup } from '#web/lib/address/screen.ts'

const nothing = { elastic: 0, ssl: false, fsa: false, sharedWeb: false, namedUser: false }
const account = (change: Partial<Standing> = {}, holdings: Partial<Standing['holdings']> = {}): Standing => ({
  customerNumber: '100001',
  contactRole: ADMINISTRATOR,
  isSalesAccess: false,
  isFNPLicenseGenerator: false,
  isAccessDisabled: false,
  exportControlStatus: '',
  orgType: 'Direct',
  ...change,
  holdings: { ...nothing, ...holdings },
})
const flag = (name: string, enabled: boolean) => ({ name, description: '', enabled, conflicts: [] })

function menu(
  on: Standing | undefined,
  roles: string[] = [],
  flags = [flag('f1202990', false)],
): Record<string, string[]> {
  const groups = visibleMenu({ who: actor('any@vendor.example', ['user', ...roles]), on }, featureSwitches(flags))
  return Object.fromEntries(groups.map((group) => [group.title, group.entries.map((entry) => entry.path)]))
}

/** All entries of a group but some, with the usual form of Assignments. */
const all = (group: MenuGroup, ...without: string[]) =>
  SCREENS.filter((one) => one.group === group && !one.parent && one.variant?.when !== 'chosen')
    .map(({ path }) => path)
    .filter((path: string) => !without.includes(path))

const OF_ELASTIC = ['clscredentials', 'whitelistips', 'limits']
const always = { Home: ['home'], Settings: all('Settings', 'audit', ...OF_ELASTIC), Messages: all('Messages') }

describe('the menu shows', () => {
  test('what needs no account, before one is selected', () => {
    expect(menu(undefined)).toEqual({ Entitlements: ['ssl', 'elastic'], ...always })
  })

  test('nothing that needs an account to people who have none', () => {
    const viewer = { who: actor('any@vendor.example', ['user']), on: undefined, hasNoAccount: true }
    const paths = visibleMenu(viewer, featureSwitches([])).flatMap(({ entries }) => entries.map(({ path }) => path))
    expect(paths).toEqual(['my-requests', 'notifications'])
  })

  test('no elastic entry on an account that holds nothing', () => {
    expect(menu(account())).toEqual({ ...always, Entitlements: ['ssl'], Settings: all('Settings', ...OF_ELASTIC) })
  })

  test.each<[string, Partial<Standing>, Record<string, string[]>]>([
    ['export denied', { exportControlStatus: 'Pending' }, { Messages: ['notifications'] }],
    ['an undefined customer type', { orgType: 'Undefined' }, { Messages: ['notifications'] }],
    ['disabled access', { isAccessDisabled: true }, { Home: ['home'], Messages: ['my-requests', 'notifications'] }],
    [
      'an indirect customer',
      { orgType: 'Indirect' },
      {
        Home: ['home'],
        Entitlements: ['ssl'],
        Settings: all('Settings', ...OF_ELASTIC),
        Messages: all('Messages', 'emails'),
      },
    ],
  ])('no entry that would be refused: %s', (_reason, standing, expected) => {
    expect(menu(account(standing))).toEqual(expected)
  })

  test('everything on an account that holds everything', () => {
    const everything = { elastic: 1, ssl: true, fsa: true, sharedWeb: true, namedUser: true }
    const seen = menu(account({}, everything))
    expect(seen).toEqual({
      Home: ['home'],
      Entitlements: all('Entitlements'),
      Activations: all('Activations'),
      Web: all('Web'),
      'Elastic Reporting': all('Elastic Reporting'),
      Settings: all('Settings'),
      Messages: all('Messages'),
    })
    // Further screens may stand anywhere among these.
    const order = [
      ...['ssl', 'elastic', 'entitlementsFSA', 'activations', 'activations-history'],
      ...['web-assignments', 'web-transactions', 'web-reporting', 'transactions', 'statementv2'],
      ...['portalaccess', 'clscredentials', 'whitelistips', 'emails', 'notifications'],
    ]
    expect(
      Object.values(seen)
        .flat()
        .filter((path) => order.includes(path)),
    ).toEqual(order)
  })

  test.each<[string, Partial<Standing['holdings']>, string, string[] | undefined]>([
    ['the FSA entry if the account has FSA', { fsa: true }, 'Entitlements', ['ssl', 'entitlementsFSA']],
    ['activations if the account has SSL', { ssl: true }, 'Activations', all('Activations')],
    ['no activations without SSL', { elastic: 3 }, 'Activations', undefined],
    ['web with a shared license', { sharedWeb: true }, 'Web', all('Web')],
    ['web with a named license', { namedUser: true }, 'Web', all('Web')],
    [
      'elastic reporting with elastic',
      { elastic: 1 },
      'Elastic Reporting',
      [...all('Elastic Reporting'), 'optimization'],
    ],
    ['elastic settings with elastic', { elastic: 1 }, 'Settings', all('Settings')],
    ['no elastic settings without elastic', { ssl: true }, 'Settings', all('Settings', ...OF_ELASTIC)],
  ])('%s, depending on holdings', (_rule, holdings, group, expected) => {
    expect(menu(account({}, holdings))[group]).toEqual(expected)
  })

  test.each<[string, Partial<Standing>, string[], boolean]>([
    ['somebody whose access is disabled does not see it', { isAccessDisabled: true }, [], false],
    [
      'an FNP license generator sees it nevertheless',
      { isAccessDisabled: true, isFNPLicenseGenerator: true },
      [],
      true,
    ],
    ['somebody with sales access sees it nevertheless', { isAccessDisabled: true, isSalesAccess: true }, [], true],
    ['busops sees it nevertheless', { isAccessDisabled: true, contactRole: null }, ['busops'], true],
    ['support sees it nevertheless', { isAccessDisabled: true, contactRole: null }, ['support'], true],
    ['sales sees it nevertheless', { isAccessDisabled: true, contactRole: null }, ['sales'], true],
    ['admin staff does not see it', { isAccessDisabled: true, contactRole: null }, ['admin'], false],
  ])('self-serve licensing: %s', (_who, standing, roles, isShown) => {
    const seen = menu(account(standing, { ssl: true }), roles)
    expect(seen.Entitlements?.includes('ssl') ?? false).toBe(isShown)
    expect('Activations' in seen).toBe(isShown)
  })

  test.each([
    ['an administrator sees it', {}, [], true],
    ['a viewer does not see it', { contactRole: VIEWER }, [], false],
    ['staff sees it', { contactRole: null }, ['sales'], true],
  ] as const)('the audit log: %s', (_who, standing, roles, isShown) => {
    expect(menu(account(standing), [...roles]).Settings?.includes('audit')).toBe(isShown)
    expect(menu(undefined, [...roles]).Settings?.includes('audit')).toBe(roles.length > 0)
  })

  test.each([
    ['busops', true],
    ['support', true],
    ['admin', true],
    ['sales', false],
  ])('operations if a role may see them: %s, %s', (role, isShown) => {
    for (const on of [undefined, account()]) expect('Administration' in menu(on, [role])).toBe(isShown)
  })

  test('nothing of a feature that is off', () => {
    const seen = menu(
      account({}, { elastic: 1 }),
      [],
      ['requests', 'my-requests', 'emails', 'notifications', 'ssl'].map((name) => flag(name, false)),
    )
    expect(seen).toMatchObject({ Entitlements: ['elastic'] })
    expect(Object.keys(seen)).not.toContain('Messages')
  })

  test('the own requests to everybody but staff: a contact of one account can be a web user of another', () => {
    expect(menu(account()).Messages).toContain('my-requests')
    expect(menu(account(), ['busops']).Messages).not.toContain('my-requests')
  })

  test('the variant of Assignments that was chosen', () => {
    const chosen = [flag('f1202990', true), flag('web-assignments', false)]
    expect(menu(account({}, { namedUser: true }), [], chosen).Web?.[0]).toBe('f1202990')
    expect(menu(account({}, { namedUser: true }), [], []).Web?.[0]).toBe('web-assignments')
  })
})
