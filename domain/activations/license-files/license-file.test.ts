import { expect, test } from 'vitest'
import {
  isOutOfDate,
  type LastFile,
  licenseFileName,
  licenseFileReason,
} from '#domain/activations/license-files/license-file.ts'

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

test.each([
  ['3cecef4b7d10', false, 'license_100001_3cecef4b7d10.lic'],
  ['3cecef4b7d10', true, 'license_100001_3cecef4b7d10_shared.lic'],
  ['9-1f04b7c2', false, 'license_100001_9-1f04b7c2.lic'],
  ['a0369f1c2e01,a0369f1c2e02,a0369f1c2e03', false, 'license_100001_a0369f1c2e01-a0369f1c2e02-a0369f1c2e03.lic'],
  ['1a2b3c4d,1a2b3c4e,1a2b3c4f', true, 'license_100001_1a2b3c4d-1a2b3c4e-1a2b3c4f_shared.lic'],
])('the file of %s, shared %s, is named %s', (serverId, isShared, name) => {
  expect(licenseFileName('100001', { serverId }, isShared)).toBe(name)
})
