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

const account = (
  customerNumber: string,
  name: string,
  mailDomain: string,
  special: Partial<DemoAccount> = {},
): DemoAccount => ({ ...USUAL, customerNumber, name, mailDomain, ...special })

/** Nobody among the demo people sees it; it shares hosts with 100003. */
export const UNSEEN_PARTNER_ACCOUNT = '100009'

/** The accounts that the demo people work on; each shows something that the others do not. */
export const NAMED_ACCOUNTS: readonly DemoAccount[] = [
  account('100001', 'Aerodyne Motors', 'aerodyne.example', {
    exportControlStatus: 'Approved',
    timeZone: 'Europe/Berlin',
  }),
  account('100002', 'Aerodyne Racing', 'aerodyne.example', { timeZone: 'America/Los_Angeles' }),
  account('100003', 'Partner Simulations', 'partner.example', { orgType: 'Channel', exportControlStatus: 'APPROVED' }),
  account('100004', 'Restricted Dynamics', 'restricted.example', { exportControlStatus: 'Pending' }),
  account('100005', 'Untyped Holdings', 'untyped.example', { orgType: 'Undefined' }),
  account('100006', 'Blue Water Turbines', 'bluewater.example', { orgType: 'Indirect', timeZone: 'Asia/Tokyo' }),
  account('100007', 'Nimbus Cloud Labs', 'nimbus.example'),
  account('100008', 'Heritage Pumps', 'heritage.example', { isAccessDisabled: true }),
  account(UNSEEN_PARTNER_ACCOUNT, 'Quiet Harbor Castings', 'quietharbor.example', { orgType: 'Indirect' }),
]
