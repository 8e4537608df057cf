import { expect, test } from 'vitest'
import { type SetupState, setupStateFor, setupStateOf, setupSteps } from '#domain/setup/setup-steps.ts'

test.each<[staff: boolean, accounts: boolean, isStaff: boolean, state: SetupState, withRoleClaims?: SetupState]>([
  [false, false, false, 'new'],
  // Roles may come from the identity provider alone.
  [false, false, true, 'empty'],
  [true, false, true, 'empty'],
  [true, false, false, 'ready'],
  [false, true, false, 'unstaffed', 'ready'],
  [false, true, true, 'ready'],
  [true, true, false, 'ready'],
  [true, true, true, 'ready'],
])(
  'with staff %s and accounts %s, a person whose being staff is %s is told %s',
  (staff, accounts, isStaff, state, withRoleClaims = state) => {
    expect(setupStateFor({ staff, accounts, roleClaims: false }, { isStaff })).toBe(state)
    expect(setupStateFor({ staff, accounts, roleClaims: true }, { isStaff })).toBe(withRoleClaims)
  },
)

test.each<[staff: boolean, accounts: boolean, roleClaims: boolean, state: SetupState]>([
  [false, false, false, 'new'],
  [true, false, false, 'empty'],
  [false, true, false, 'unstaffed'],
  [false, true, true, 'ready'],
  [true, true, false, 'ready'],
])('with staff %s, accounts %s and role claims %s the operator is told %s', (staff, accounts, roleClaims, state) => {
  expect(setupStateOf({ staff, accounts, roleClaims })).toBe(state)
})

test.each<[state: SetupState, titles: string[]]>([
  ['new', ['Give the first person a staff role', 'Import your data', 'Create keys for your systems']],
  ['empty', ['Import your data', 'Create keys for your systems']],
  ['unstaffed', ['Give the first person a staff role']],
  ['ready', []],
])('the steps of a %s installation are %j', (state, titles) => {
  expect(setupSteps(state, { command: 'npm run portal --' }).map(({ title }) => title)).toEqual(titles)
})

test.each([
  ['ann@vendor.example', 'npm run portal -- users grant ann@vendor.example busops'],
  ["o'neil@vendor.example", `npm run portal -- users grant 'o'\\''neil@vendor.example' busops`],
  ['$(id)@vendor.example', "npm run portal -- users grant '$(id)@vendor.example' busops"],
])('the command names %s as a shell reads it', (email, command) => {
  expect(setupSteps('new', { command: 'npm run portal --', email })[0]?.commands).toEqual([command])
})
