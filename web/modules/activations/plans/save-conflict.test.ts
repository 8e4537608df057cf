import { expect, test } from 'vitest'
import { jobOver, seatDifferences, sharingText } from '#web/modules/activations/plans/save-conflict.ts'
import { createSaveJob, toSaveBody } from '#web/modules/activations/plans/save-job.ts'

const held = (id: string, seats: number) => ({ id, ansysproduct: `Product ${id}`, seats })
const version = (...seats: ReturnType<typeof held>[]) => ({
  sharedBy: ['100001'],
  customers: [{ customerNumber: '100001', seats, basis: 'now' }],
})
const versions = {
  current: version(held('a', 2), held('b', 1), held('c', 4)),
  yours: version(held('a', 3), held('c', 4)),
}
const change = (kind: 'activate' | 'deactivate', activationid: string, count: number) => ({
  kind,
  activationid,
  count,
  customerNumber: '100001',
  customerName: 'Aerodyne',
  ansysproduct: `Product ${activationid}`,
  startdate: '2026-01-01',
  enddate: '2027-01-01',
  fulfillments: kind === 'deactivate' ? [{ FulfillmentID: `f-${activationid}`, FulfillCount: count }] : [],
  isMaintenanceExpired: false,
  isTicked: true,
})
const job = createSaveJob({
  button: 'generate',
  host: {
    serverName: 'lic-01',
    serverId: '3cecef4b7d10',
    serverIdType: 'ETHERNET',
    state: 'Active',
    portNumber: 1055,
    isBorrowable: false,
    isShared: false,
    isOutOfDate: false,
    generatedAt: null,
    generatedBy: null,
    isNew: false,
  },
  customers: [{ customerNumber: '100001', customerName: 'Aerodyne' }],
  changes: [change('activate', 'a', 3), change('deactivate', 'b', 1)],
  bases: { 100001: 'then' },
  isBorrowable: undefined,
})

test('products with the same seats in both versions are left out', () => {
  expect(seatDifferences(versions)).toEqual([
    { id: '100001 a', label: 'Product a (a)', theirs: '2 seats', yours: '3 seats', suggested: 'yours' },
    { id: '100001 b', label: 'Product b (b)', theirs: '1 seat', yours: 'Not activated', suggested: 'yours' },
  ])
})

test('what is kept is saved over the version that was shown', () => {
  const kept = jobOver(job, versions, (id) => (id === '100001 a' ? 'yours' : 'theirs'))
  expect(kept && toSaveBody(kept).customers).toEqual([
    { customerNumber: '100001', basis: 'now', returned: [], wanted: [{ id: 'a', seats: 3 }] },
  ])
  expect(jobOver(job, versions, () => 'theirs')).toBeUndefined()
})

test('says who shares the license server if that has changed', () => {
  expect(sharingText(versions)).toBeUndefined()
  const current = { ...versions.current, sharedBy: ['100001', '100002'] }
  expect(sharingText({ ...versions, current })).toBe(
    'The license server is of 100001, 100002 now. After your save it is of 100001.',
  )
})
