import type { OrgType } from '#domain/access/standing.ts'

export type DemoAccount = {
  readonly customerNumber: string
  readonly name: string
  readonly orgType: OrgType
  readonly exportControlStatus: string
  readonly isAccessDisabled: boolean
  readonly mailDomain: string
  readonly timeZone: string
}

const USUAL = { orgType: 'Direct', exportControlStatus: '', isAccessDisabled: false, timeZone: 'UTC' } as const

/** Nobody among the demo people sees it; it shares hosts with 100003. */
export const UNSEEN_PARTNER_ACCOUNT = '100009'

/** The accounts that the demo people work on; each shows something that the others do not. */
export const NAMED_ACCOUNTS: readonly DemoAccount[] = [
  {
    ...USUAL,
    customerNumber: '100001',
    name: 'Aerodyne Motors',
    exportControlStatus: 'Approved',
    mailDomain: 'aerodyne.example',
    timeZone: 'Europe/Berlin',
  },
  {
    ...USUAL,
    customerNumber: '100002',
    name: 'Aerodyne Racing',
    mailDomain: 'aerodyne.example',
    timeZone: 'America/Los_Angeles',
  },
  {
    ...USUAL,
    customerNumber: '100003',
    name: 'Partner Simulations',
    orgType: 'Channel',
    exportControlStatus: 'APPROVED',
    mailDomain: 'partner.example',
  },
  {
    ...USUAL,
    customerNumber: '100004',
    name: 'Restricted Dynamics',
    exportControlStatus: 'Pending',
    mailDomain: 'restricted.example',
  },
  {
    ...USUAL,
    customerNumber: '100005',
    name: 'Untyped Holdings',
    orgType: 'Undefined',
    mailDomain: 'untyped.example',
  },
  {
    ...USUAL,
    customerNumber: '100006',
    name: 'Blue Water Turbines',
    orgType: 'Indirect',
    mailDomain: 'bluewater.example',
    timeZone: 'Asia/Tokyo',
  },
  { ...USUAL, customerNumber: '100007', name: 'Nimbus Cloud Labs', mailDomain: 'nimbus.example' },
  {
    ...USUAL,
    customerNumber: '100008',
    name: 'Heritage Pumps',
    isAccessDisabled: true,
    mailDomain: 'heritage.example',
  },
  {
    ...USUAL,
    customerNumber: UNSEEN_PARTNER_ACCOUNT,
    name: 'Quiet Harbor Castings',
    orgType: 'Indirect',
    mailDomain: 'quietharbor.example',
  },
]
