import { expect, test } from 'vitest'
import { claimRolesState } from '#domain/access/claim-roles.ts'

const now = new Date('2026-03-01T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test.each([
  [['busops'], ago(0), 'fresh'],
  [['busops'], ago(9.9), 'fresh'],
  [['busops'], ago(10), 'due'],
  [['busops'], ago(14.9), 'due'],
  [['busops'], ago(15), 'stale'],
  [['busops'], ago(700), 'stale'],
  [['busops'], null, 'fresh'],
  // Nothing is relied on, so nobody has to wait.
  [[], ago(15), 'due'],
])('roles %j checked at %s are %s', (roles, checkedAt, state) => {
  expect(claimRolesState(roles, checkedAt, now)).toBe(state)
})
