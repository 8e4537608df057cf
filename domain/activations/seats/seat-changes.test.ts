import { describe, expect, test } from 'vitest'
import { seatGoals } from '#domain/activations/plans/plan.ts'
import { quantityError, savedQuantityError } from '#domain/activations/seats/activated-quantity.ts'
import { chooseProducts, setQuantity, toggleAssigned } from '#domain/activations/seats/activation-selection.ts'
import {
  heldBackRows,
  isMaintenanceExpired,
  MAINTENANCE_EXPIRED,
  maintenanceObstacles,
} from '#domain/activations/seats/expired-maintenance.ts'
import {
  deactivateChanges,
  editChanges,
  isHostLeft,
  rehostChanges,
  type SeatChange,
  toggleTick,
} from '#domain/activations/seats/seat-changes.ts'
import { lease, onHost, permanent, seated, TODAY, tab } from '#domain/activations/testing/samples.ts'

const expiredLease = onHost({ ...lease, ActivationId: 'old', EndDate: '2026-11-14' }, 5)
const unmaintained = onHost({ ...permanent('2026-11-14'), ActivationId: 'unmaintained' }, 1)
const brief = ({ kind, activationid, count, isTicked }: SeatChange) => [kind, activationid, count, isTicked]

test.each([
  [true, '2026-11-14', true],
  [true, TODAY, false],
  [true, '2027-01-01', false],
  [true, null, false],
  [false, '2020-01-01', false],
])('maintenance of a license that is permanent (%s) until %s is expired: %s', (isPermanent, versiondate, expired) => {
  expect(isMaintenanceExpired({ isPermanent, versiondate }, TODAY)).toBe(expired)
})

test('expired maintenance stops ticked rows, except for those who may override it', () => {
  const changes = deactivateChanges([seated('1', onHost(lease, 2), unmaintained)], TODAY)
  const stopped = (rows: readonly SeatChange[], mayOverride = false) =>
    maintenanceObstacles(rows, mayOverride).map(({ activationid }) => activationid)
  expect(stopped(changes)).toEqual(['unmaintained'])
  expect(stopped(changes, true)).toEqual([])
  const unticked = toggleTick(changes, changes[1]!, 'Deactivate')
  expect(stopped(unticked)).toEqual([])
  expect(heldBackRows(unticked, false).map(brief)).toEqual([['deactivate', 'unmaintained', 1, false]])
  expect(heldBackRows(unticked, true)).toEqual([])
  expect(isHostLeft(unticked)).toBe(false)
  expect(MAINTENANCE_EXPIRED).toBe(
    'The following products can not be activated or deactivated since their maintenance has expired. Please unselect them and try again.',
  )
})

describe('a save', () => {
  const start = tab('1', onHost(lease, 2, 1), { ...lease, ActivationId: 'b', ProductName: 'Other' })
  const both = setQuantity(chooseProducts(toggleAssigned(start, 'a-1'), [lease.ProductName, 'Other']), 'a-1', 4)
  const changes = editChanges([both], TODAY)

  test('removed rows are deactivated, added ones activated', () => {
    expect(changes.map(brief)).toEqual([
      ['deactivate', 'a-1', 3, true],
      ['activate', 'a-1', 4, true],
      ['activate', 'b', 10, true],
    ])
  })

  test('the goal has the fulfillments to return and the seats to keep', () => {
    expect(seatGoals([start], changes)).toEqual([
      {
        customerNumber: '1',
        customerName: 'Customer 1',
        returned: [
          { activationId: 'a-1', fulfillmentId: 'a-1-f1' },
          { activationId: 'a-1', fulfillmentId: 'a-1-f2' },
        ],
        wanted: [
          { activationId: 'a-1', seats: 4 },
          { activationId: 'b', seats: 10 },
        ],
      },
    ])
  })

  test('added seats come on top of the seats on this host, which available rows do not show', () => {
    const fetchedApart = { ...start, available: tab('1', { ...lease, AnsysActivated: 3 }).available }
    const added = setQuantity(chooseProducts(fetchedApart, [lease.ProductName]), 'a-1', 2)
    expect(seatGoals([start], editChanges([added], TODAY))).toMatchObject([
      { returned: [], wanted: [{ activationId: 'a-1', seats: 5 }] },
    ])
  })

  test('an unticked removal keeps its seats, and added seats come on top', () => {
    const unticked = toggleTick(changes, changes[0]!, 'Default')
    expect(unticked.map(({ isTicked }) => isTicked)).toEqual([false, true, true])
    expect(seatGoals([start], unticked)).toMatchObject([
      {
        returned: [],
        wanted: [
          { activationId: 'a-1', seats: 7 },
          { activationId: 'b', seats: 10 },
        ],
      },
    ])
  })
})

describe('a rehost', () => {
  const changes = rehostChanges([seated('1', onHost(lease, 2, 1), expiredLease), seated('2', unmaintained)], TODAY)

  test('returns everything, and does not activate expired entitlements on the target', () => {
    expect(changes.map(brief)).toEqual([
      ['deactivate', 'a-1', 3, true],
      ['deactivate', 'old', 5, true],
      ['deactivate', 'unmaintained', 1, true],
      ['activate', 'a-1', 3, true],
      ['activate', 'unmaintained', 1, true],
    ])
    expect(isHostLeft(changes)).toBe(true)
  })

  test('unticking a product keeps it on the source, which stays active', () => {
    const unticked = toggleTick(changes, changes[4]!, 'Rehost')
    expect(unticked.filter(({ isTicked }) => !isTicked).map(brief)).toEqual([
      ['deactivate', 'unmaintained', 1, false],
      ['activate', 'unmaintained', 1, false],
    ])
    expect(isHostLeft(unticked)).toBe(false)
    expect(toggleTick(unticked, unticked[2]!, 'Rehost')).toEqual(changes)
  })
})

describe('the quantity to activate', () => {
  test.each([
    [1, 5, undefined],
    [5, 5, undefined],
    [0, 5, 'Minimum is 1.'],
    [-3, 5, 'Minimum is 1.'],
    [0.5, 5, 'Minimum is 1.'],
    [null, 5, 'Minimum is 1.'],
    [Number.NaN, 5, 'Minimum is 1.'],
    [6, 5, 'Maximum is 5.'],
    [1251, 1250, 'Maximum is 1250.'],
    [Number.POSITIVE_INFINITY, 5, 'Maximum is 5.'],
    [1, 0, 'Maximum is 0.'],
    [1.5, 5, 'Enter a whole number.'],
  ])('typing %s of %s available shows %s', (quantity, available, message) => {
    expect(quantityError(quantity, available)).toBe(message)
  })

  test.each([
    [5, 5, undefined],
    [6, 5, 'Activated number must be less or equal to Available number.'],
    [0, 5, 'Minimum is 1.'],
    [2.5, 5, 'Enter a whole number.'],
  ])('saving %s of %s available shows %s', (quantity, available, message) => {
    expect(savedQuantityError(quantity, available)).toBe(message)
  })
})
