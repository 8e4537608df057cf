import { describe, expect, test } from 'vitest'
import { ApiFailure } from '#web/lib/api-failure.ts'
import { askAgain } from '#web/table/list/ask-again.ts'

/** Fails as told, one after the other, then answers; notes how long was waited. */
function trial(failures: readonly Error[]) {
  const waits: number[] = []
  let asked = 0
  const answer = askAgain(
    async () => {
      const failure = failures[asked]
      asked += 1
      if (failure) throw failure
      return 'rows'
    },
    { signal: new AbortController().signal, wait: async (milliseconds) => void waits.push(milliseconds) },
  )
  return { answer, waits, asked: () => asked }
}

const broken = new ApiFailure(503, 'Not now')

describe('a call that fails is made again', () => {
  test('a little later each time', async () => {
    const { answer, waits } = trial([broken, broken, broken])
    expect(await answer).toBe('rows')
    expect(waits).toEqual([100, 200, 300])
  })

  test('five more times, and then it says how often', async () => {
    const reference = '0123456789abcdef0123456789abcdef'
    const last = new ApiFailure(500, `Something went wrong, reference id [${reference}]`, 'INTERNAL_ERROR')
    const { answer, waits, asked } = trial([broken, broken, broken, broken, broken, last])
    const failure = await answer.catch((error: unknown) => error as ApiFailure)
    expect(failure).toBeInstanceOf(ApiFailure)
    expect(failure).toMatchObject({
      message: 'unable to fetch data after 6 attempts',
      referenceId: reference,
      code: 'INTERNAL_ERROR',
      cause: last,
    })
    expect([waits, asked()]).toEqual([[100, 200, 300, 400, 500], 6])
  })

  test.each([400, 401, 403, 404, 409, 429])('but not when the server says %s', async (status) => {
    const { answer, asked } = trial([new ApiFailure(status, 'No')])
    await expect(answer).rejects.toMatchObject({ status, message: 'No' })
    expect(asked()).toBe(1)
  })

  test('nor when the business refuses', async () => {
    const { answer, asked } = trial([new ApiFailure(200, 'Too many distinct values')])
    await expect(answer).rejects.toThrow('Too many distinct values')
    expect(asked()).toBe(1)
  })

  test('nor when nobody waits for it any more', async () => {
    const control = new AbortController()
    let asked = 0
    const answer = askAgain(
      async () => {
        asked += 1
        control.abort()
        throw broken
      },
      { signal: control.signal, wait: async () => {} },
    )
    await expect(answer).rejects.toBe(broken)
    expect(asked).toBe(1)
  })
})
