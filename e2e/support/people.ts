/** The demo people by their role. Every fresh installation has them. */
export const PEOPLE = {
  busops: 'olivia.ops@vendor.example',
  support: 'sam.support@vendor.example',
  sales: 'sara.sales@vendor.example',
  admin: 'adam.admin@vendor.example',
  /** Administrator of 100001 and 100002. */
  administrator: 'ada.admin@aerodyne.example',
  /** Support coordinator of 100001. */
  coordinator: 'cora.coordinator@aerodyne.example',
  /** Viewer of 100001. */
  viewer: 'vic.viewer@aerodyne.example',
  /** FNP license generator of 100003. */
  licenseGenerator: 'greta.generator@partner.example',
  /** Sales access to 100003. */
  salesAccess: 'saul.access@partner.example',
  /** Administrator of 100006 only, which is therefore selected automatically. */
  singleAccount: 'sol.single@bluewater.example',
  /** Administrator of 100004, whose export status is pending. */
  exportRestricted: 'ella.export@restricted.example',
  /** Administrator of 100005, whose organization type is undefined. */
  untyped: 'uma.untyped@untyped.example',
  /** Administrator of 100007, which has elastic only. */
  elasticOnly: 'nina.nimbus@nimbus.example',
  /** Administrator of 100008, whose access is disabled. */
  accessDisabled: 'hal.heritage@heritage.example',
  /** Has no account. */
  nobody: 'ned.nobody@nowhere.example',
} as const

export type Person = keyof typeof PEOPLE
