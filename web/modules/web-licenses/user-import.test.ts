import { expect, test } from 'vitest'
import type { SavedUserLine } from '#contract/web-licenses/web-users.ts'
import { type ImportPhase, toImportRows } from '#web/modules/web-licenses/user-import.ts'

const line = { line: 2, email: 'anna@web.example', name: 'Anna Berg', groups: [] }
const answer = (change: Partial<SavedUserLine>): SavedUserLine => ({
  email: line.email,
  change: 'update',
  renamedFrom: null,
  joins: [],
  status: 'SUCCESS',
  ...change,
})

test.each<[string, Partial<SavedUserLine>, ImportPhase, string]>([
  ['a rename before the import', { renamedFrom: 'Anna Adler' }, 'preview', 'Renames “Anna Adler”.'],
  ['a rename after it', { renamedFrom: 'Anna Adler' }, 'report', 'Renamed “Anna Adler”.'],
  ['a first name', { renamedFrom: '' }, 'report', 'Renamed the user, who has had no name.'],
  ['groups', { joins: ['Design', 'Optics'] }, 'preview', 'Joins Design, Optics.'],
  ['both', { renamedFrom: 'Ann', joins: ['Design'] }, 'report', 'Renamed “Ann”. Joined Design.'],
  ['nothing', { change: 'none' }, 'preview', ''],
])('the import says what changes: %s', (_name, change, phase, expected) => {
  expect(toImportRows([line], [answer(change)], phase)[0]?.detail).toBe(expected)
})
