import { expect, test } from 'vitest'
import { targetPath } from '#web/modules/audit/target-path.ts'

test.each([
  ['fulfillments/create', '00155d01ab02', '/license-servers/00155d01ab02'],
  ['fulfillments/return', '00155d01ab02 00155d01ab03', undefined],
  ['fulfillments/plan/files', 'licenses_100001.zip', undefined],
  ['sharedserver/remove', 'aa/bb', '/license-servers/aa%2Fbb'],
  ['emails/delete', 'm-1', '/emails/m-1'],
  ['getpin', 'cls-1', '/clscredentials'],
  ['setips', 'cls-1', '/whitelistips'],
  ['entitlements', 'FSA-1', '/entitlementsFSA'],
  ['fsa/history/export', 'orders.csv', undefined],
  ['web/groups/create', 'g-1', '/web-assignments'],
  ['getPdf', 'statement.pdf', undefined],
  ['changepin', null, undefined],
])('%s on %s is shown at %s', (action, target, path) => {
  expect(targetPath({ action, target })).toBe(path)
})
