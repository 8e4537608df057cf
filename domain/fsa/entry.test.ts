import { expect, test } from 'vitest'
import { entryKind, isFsaActive } from '#domain/fsa/entry.ts'

test.each([
  ['FSA', null, false, 'contract'],
  ['FSA', '', false, 'contract'],
  ['FSA', 'ENT-1', false, 'order'],
  ['FSA', 'ENT-1', true, 'manual'],
  ['', null, false, 'other'],
  ['', 'ENT-1', false, 'other'],
] as const)('subtype %j with contract %j, manual %s, is %s', (subtype, fsaId, isManual, kind) => {
  expect(entryKind({ subtype, fsaId, isManual })).toBe(kind)
})

test.each([
  ['not started', '2026-12-01', '2027-12-01', 0, true],
  ['not started, but used up', '2026-12-01', '2027-12-01', 100, false],
  ['running', '2026-01-01', '2026-12-31', 99, true],
  ['running and used up', '2026-01-01', '2026-12-31', 100, false],
  ['on its last day', '2026-01-01', '2026-11-15', 50, true],
  ['expired', '2026-01-01', '2026-11-14', 50, false],
] as const)('a contract that is %s', (_state, startDate, endDate, spent, active) => {
  expect(isFsaActive({ startDate, endDate }, spent, '2026-11-15')).toBe(active)
})
