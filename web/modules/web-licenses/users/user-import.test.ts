import { expect, test } from 'vitest'
import type { SavedUserLine } from '#contract/web-licenses/web-users.ts'
import { type ImportPhase, toImportRows } from '#web/modules/web-licenses/users/user-import.ts'

const line = { line: 2, email: 'anna@web.example', name: 'Anna Berg', groups: [], entitlements: [] }
const answer = (change: Partial<SavedUserLine>): SavedUserLine => ({
  email: line.email,
  change: 'update',
  renamedFrom: null,
  joins: [],
  assigns: [],
  status: 'SUCCESS',
  ...change,
})

const assigns = [
  { activationId: 'A-1', product: 'Optics' },
  { activationId: 'A-2', product: 'Mesher' },
]

test.each<[string, Partial<SavedUserLine>, ImportPhase, string]>([
  ['a rename before the import', { renamedFrom: 'Anna Adler' }, 'preview', 'Renames “Anna Adler”.'],
  ['a rename after it', { renamedFrom: 'Anna Adler' }, 'report', 'Renamed “Anna Adler”.'],
  ['a first name', { renamedFrom: '' }, 'report', 'Renamed the user, who has had no name.'],
  ['groups', { joins: ['Design', 'Optics'] }, 'preview', 'Joins Design, Optics.'],
  ['both', { renamedFrom: 'Ann', joins: ['Design'] }, 'report', 'Renamed “Ann”. Joined Design.'],
  ['entitlements before the import', { assigns }, 'preview', 'Will be assigned to Optics (A-1), Mesher (A-2).'],
  ['entitlements after it', { assigns }, 'report', 'Assigned to Optics (A-1), Mesher (A-2).'],
  ['nothing', { change: 'none' }, 'preview', ''],
])('the import says what changes: %s', (_name, change, phase, expected) => {
  expect(toImportRows([line], [answer(change)], phase)[0]?.detail).toBe(expected)
})
