import { expect, test } from 'vitest'
import { type FileState, isOutOfDate } from '#domain/activations/out-of-date.ts'

const file: FileState = {
  generatedAt: new Date('2026-11-01T12:00:00Z'),
  endDates: ['2026-12-31', '2027-06-30'],
  changedAt: new Date('2026-11-01T11:59:00Z'),
  seats: 5,
}

test.each<[string, Partial<FileState>, string, boolean]>([
  ['made after the last change', {}, '2026-11-15', false],
  ['made at the same moment', { changedAt: file.generatedAt }, '2026-11-15', false],
  ['older than the last change', { changedAt: new Date('2026-11-01T12:00:00.001Z') }, '2026-11-15', true],
  ['on the last day of a lease in it', {}, '2026-12-31', false],
  ['with an expired lease in it', {}, '2027-01-01', true],
  ['with permanent licenses only', { endDates: [] }, '2099-01-01', false],
  ['that was never made', { generatedAt: null, endDates: [] }, '2026-11-15', true],
  ['of a host without seats', { seats: 0, changedAt: new Date('2026-11-10T00:00:00Z') }, '2026-11-15', false],
  ['without any ledger row', { changedAt: null }, '2026-11-15', false],
])('a file %s, on %j %s: %s', (_, change, today, expected) => {
  expect(isOutOfDate({ ...file, ...change }, today)).toBe(expected)
})
