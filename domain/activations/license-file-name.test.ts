import { expect, test } from 'vitest'
import { licenseFileName } from '#domain/activations/license-file-name.ts'

test.each([
  ['3cecef4b7d10', false, 'license_100001_3cecef4b7d10.lic'],
  ['3cecef4b7d10', true, 'license_100001_3cecef4b7d10_shared.lic'],
  ['9-1f04b7c2', false, 'license_100001_9-1f04b7c2.lic'],
  ['a0369f1c2e01,a0369f1c2e02,a0369f1c2e03', false, 'license_100001_a0369f1c2e01-a0369f1c2e02-a0369f1c2e03.lic'],
  ['1a2b3c4d,1a2b3c4e,1a2b3c4f', true, 'license_100001_1a2b3c4d-1a2b3c4e-1a2b3c4f_shared.lic'],
])('%s, shared %s: %s', (serverId, isShared, name) => {
  expect(licenseFileName('100001', { serverId }, isShared)).toBe(name)
})
