import { describe, expect, test } from 'vitest'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import type { SeatGoal } from '#domain/activations/plans/plan.ts'
import { ApiError, BatchError } from '#web/lib/api/api-error.ts'
import { planFailure, startFailure } from '#web/modules/activations/plans/save-failure.ts'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'

const goal: SeatGoal = { customerNumber: '100001', customerName: 'Aero', returned: [], wanted: [] }
const returning = { ...goal, returned: [{ activationId: 'a', fulfillmentId: 'f-1' }] }
const activating = { ...goal, wanted: [{ activationId: 'b', seats: 2 }] }
const jobOf = (...goals: SeatGoal[]): SaveJob => ({
  saveId: 's',
  request: { host: { serverName: 'lic-01', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET' }, goals },
  isEmail: false,
  productNames: { a: 'Alpha', b: 'Beta' },
  changes: [],
  bases: {},
  isBorrowable: false,
  portNumber: 1055,
})
const refusedLine = (id: string, code: FailureCode) => new BatchError('No.', code, [{ id, code, err: 'No.' }])

const RETURN = 'Error returning fulfillments. Please clear the error and retry.'
const CREATE = 'Error creating fulfillments. Please clear the error and retry.'
const GENERATE = 'Error creating license file. Please clear the error and retry.'
const GROUP = 'Error creating shared server group. Please clear the error and retry.'

describe('a save that the server has not accepted', () => {
  test.each([
    ['its first step, a return', new ApiError(403, 'No.'), jobOf(returning, activating), RETURN],
    ['its first step, an activation', new ApiError(403, 'No.'), jobOf(goal, activating), CREATE],
    ['its only step, the license file', new ApiError(403, 'No.'), jobOf(goal), GENERATE],
    ['the group for a host that others share', new ApiError(200, 'No.', 'SHARED_ELSEWHERE'), jobOf(returning), GROUP],
    ['the file for an unknown product', new ApiError(200, 'No.', 'NOT_IN_CATALOG'), jobOf(activating), GENERATE],
    ['the return of a refused fulfillment', refusedLine('f-1', 'NOT_HELD'), jobOf(returning, activating), RETURN],
    ['the activation of a refused entitlement', refusedLine('b', 'SEAT_GONE'), jobOf(returning, activating), CREATE],
  ])('names %s', (_, error, job, text) => expect(startFailure(error, job).text).toBe(text))

  test('gives the reason of the server once: with the refused products, or else beside the text', () => {
    expect(startFailure(refusedLine('b', 'SEAT_GONE'), jobOf(activating))).toMatchObject({
      why: undefined,
      refused: [{ reason: 'No.', products: ['Beta (b)'] }],
    })
    expect(startFailure(new ApiError(200, 'Busy.', 'HOST_BUSY'), jobOf(activating))).toMatchObject({
      why: 'Busy.',
      refused: [],
    })
  })

  test.each([
    ['can be continued without an answer', new ApiError(0, 'No answer.'), true],
    ['can be continued when the portal was restarting', new ApiError(503, 'Starting.'), true],
    ['can be continued after an error of the browser', new TypeError('x is not a function'), true],
    ['cannot be continued after a refusal', new ApiError(200, 'Busy.', 'HOST_BUSY'), false],
  ])('the save %s', (_, error, canContinue) => expect(startFailure(error, jobOf(goal)).canContinue).toBe(canContinue))

  test('has the reference id of an internal error in parentheses', () => {
    const id = '0123456789abcdef0123456789abcdef'
    const error = new ApiError(500, `It broke. reference id [${id}]`, 'INTERNAL_ERROR')
    expect(startFailure(error, jobOf(activating))).toMatchObject({ text: `${CREATE} (${id})`, why: undefined })
  })
})

describe('a save that has stopped', () => {
  test.each([
    ['create', CREATE],
    ['override', 'Error deactivating shared server group. Please clear the error and retry.'],
    ['email', 'Error sending email message. Please clear the error and retry.'],
    [null, GENERATE],
  ])('at step %s has its text, and the reason of the server beside it', (step, text) => {
    const failure = { code: 'EXPORT_DENIED' as const, err: 'Denied.' }
    expect(planFailure({ step, failure })).toEqual({ text, why: 'Denied.', refused: [], canContinue: false })
  })
})
