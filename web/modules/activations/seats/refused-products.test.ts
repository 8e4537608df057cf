import { expect, test } from 'vitest'
import { ApiError, BatchError } from '#web/lib/api/api-error.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'
import { refusedProducts } from '#web/modules/activations/seats/refused-products.ts'

const host = { serverName: 'lic-01', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET' }
const job: SaveJob = {
  saveId: 's',
  request: {
    host,
    goals: [
      {
        customerNumber: '100001',
        customerName: '',
        returned: [{ activationId: 'a', fulfillmentId: 'f-1' }],
        wanted: [
          { activationId: 'b', seats: 2 },
          { activationId: 'c', seats: 1 },
          { activationId: 'd', seats: 1 },
        ],
      },
    ],
  },
  isEmail: false,
  productNames: { a: 'Alpha', b: 'Beta', c: 'Gamma' },
  changes: [],
  bases: {},
  isBorrowable: false,
  portNumber: 1055,
}
const GONE = 'Activated number must be less or equal to Available number.'

test('a refused batch names the products behind each reason', () => {
  const failure = new BatchError(GONE, 'SEAT_GONE', [
    { id: 'b', code: 'SEAT_GONE', err: GONE },
    { id: 'c', code: 'BATCH_REFUSED', err: 'Nothing of this request was done.' },
    { id: 'd', code: 'SEAT_GONE', err: GONE },
  ])
  expect(refusedProducts(failure, job)).toEqual([{ reason: GONE, products: ['Beta (b)', 'd'] }])
})

test('a refused return is traced from the fulfillment to its product', () => {
  const failure = new BatchError('No.', 'NOT_HELD', [{ id: 'f-1', code: 'NOT_HELD', err: 'No.' }])
  expect(refusedProducts(failure, job)).toEqual([{ reason: 'No.', products: ['Alpha (a)'] }])
})

test('other failures name no products', () => {
  expect(refusedProducts(new ApiError(500, 'No.'), job)).toEqual([])
  expect(refusedProducts(new Error('no'), job)).toEqual([])
})
