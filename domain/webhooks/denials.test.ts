import { expect, test } from 'vitest'
import { denialKey, repeatedDenialsDue } from '#domain/webhooks/denials.ts'

const session = { type: 'session.denied', reason: 'NO_BALANCE', username: 'anna' }
const at = new Date('2026-11-18T10:00:05Z')

test.each([
  ['the same minute', {}, '2026-11-18T10:00:59.999Z', true],
  ['the next minute', {}, '2026-11-18T10:01:00Z', false],
  ['another user', { username: 'ben' }, '2026-11-18T10:00:05Z', false],
  ['another reason', { reason: 'UNKNOWN_PRODUCT' }, '2026-11-18T10:00:05Z', false],
  ['another kind', { type: 'checkout.denied' }, '2026-11-18T10:00:05Z', false],
])('denials of %s are counted together or not', (_, change, time, isSame) => {
  expect(denialKey({ ...session, ...change }, new Date(time)) === denialKey(session, at)).toBe(isSame)
})

test.each(['WRONG_PIN', 'LOCKED', 'EXPORT'])(
  '%s is counted together for all names, which anybody can make up',
  (reason) => {
    expect(denialKey({ ...session, reason, username: 'x1' }, at)).toBe(
      denialKey({ ...session, reason, username: 'x2' }, at),
    )
  },
)

test('repeated denials are told when the minute is over', () => {
  expect(repeatedDenialsDue(at).toISOString()).toBe('2026-11-18T10:01:02.000Z')
})
