import { describe, expect, test } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { refusalText } from '#web/modules/activations/seats/activation-error.ts'

describe('the text of a refusal', () => {
  test.each([
    [
      'a business refusal',
      new ApiError(200, 'Only 2 seats are available.', 'SEAT_GONE'),
      'Only 2 seats are available.',
    ],
    ['a call without an answer', new ApiError(0, 'The portal cannot be reached.'), 'The portal cannot be reached.'],
    ['an internal error', new ApiError(500, 'Something broke.', 'INTERNAL_ERROR'), undefined],
    ['a portal that is starting', new ApiError(503, 'Starting.'), undefined],
    // The code decides, whatever the status.
    ['an internal error with another status', new ApiError(200, 'Something broke.', 'INTERNAL_ERROR'), undefined],
    ['an error of the browser', new TypeError('x is not a function'), undefined],
  ])('%s has the right text', (_, error, text) => expect(refusalText(error)).toBe(text))
})
