import { expect, test } from 'vitest'
import { isOutOfDate, type LastFile, licenseFileReason } from '#domain/activations/out-of-date.ts'

const file: LastFile = { isChangedSince: false, firstEnd: '2026-12-31' }

test.each([
  ['made after the last change', file, '2026-11-15', 'REQUESTED'],
  ['older than the last change', { ...file, isChangedSince: true }, '2026-11-15', 'SEATS_CHANGED'],
  ['on the last day of a lease in it', file, '2026-12-31', 'REQUESTED'],
  ['with an expired lease in it', file, '2027-01-01', 'LICENSES_EXPIRED'],
  ['with permanent licenses only', { ...file, firstEnd: null }, '2099-01-01', 'REQUESTED'],
  ['that was never made', undefined, '2026-11-15', 'FIRST'],
] as const)('a file %s is replaced because of %j on %s: %s', (_, last, today, reason) => {
  expect(licenseFileReason(last, today)).toBe(reason)
  expect(isOutOfDate(last, 5, today)).toBe(reason !== 'REQUESTED')
  expect(isOutOfDate(last, 0, today), 'a host without seats').toBe(false)
})
