import type { LicensedActivation, LicenseIssue } from '#domain/activations/license-files/license-text.ts'

export const issue: LicenseIssue = {
  host: { serverName: 'lic-berlin-01', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET', port: 1055 },
  issuedOn: '2026-11-15',
  isBorrowable: false,
}

export const triadIssue: LicenseIssue = {
  ...issue,
  host: {
    serverName: 'core-a,core-b,core-c',
    serverId: '1a2b3c4d,1a2b3c4e,1a2b3c4f',
    serverIdType: 'DISK_SERIAL_NUM,DISK_SERIAL_NUM,DISK_SERIAL_NUM',
    port: 2325,
  },
}

export const leased: LicensedActivation = {
  customerNumber: '100001',
  activationId: 'f3a1c0de-0001-4000-8000-00000000a001',
  product: 'Structural Mechanics Pro',
  daemon: 'ansyslmd',
  features: ['struct_pro', 'prepost'],
  isNodeLockedProduct: false,
  licenseModel: 'Network',
  seats: 12,
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  versionDate: '2026-12-31',
}

export const perpetual: LicensedActivation = {
  ...leased,
  activationId: 'f3a1c0de-0002-4000-8000-00000000a002',
  product: 'Electromagnetics High Frequency',
  daemon: 'ansoftd',
  features: ['hfss_solve'],
  licenseModel: 'Ansoft Borrow',
  seats: 1,
  startDate: '2023-04-01',
  endDate: null,
  versionDate: '2027-03-31',
}

export const nodeLocked: LicensedActivation = {
  ...leased,
  activationId: 'f3a1c0de-0003-4000-8000-00000000a003',
  product: 'Geometry Modeler (NODE)',
  features: ['geometry'],
  isNodeLockedProduct: true,
  seats: 2,
}

/** A fake signature that depends on every character and that anybody can compute. */
export function fakeSign(text: string): string {
  let hash = 0n
  for (const character of text) hash = (hash * 131n + BigInt(character.codePointAt(0) ?? 0)) % (1n << 256n)
  return hash.toString(16).toUpperCase().padStart(64, '0')
}
export const fakeVerify = (text: string, signature: string) => fakeSign(text) === signature
