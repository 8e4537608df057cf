import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { signInTokens } from '#server/identity/sign-in-tokens.ts'

const secret = randomBytes(32)
const tokens = signInTokens(secret)
const sealed = tokens.seal('session one', 'id token', 'eyJ.secret.ü')

test('a sealed token opens for its session and kind only', () => {
  expect(tokens.open('session one', 'id token', sealed)).toBe('eyJ.secret.ü')
  expect(tokens.open('session two', 'id token', sealed)).toBeUndefined()
  expect(tokens.open('session one', 'refresh token', sealed)).toBeUndefined()
  expect(signInTokens(randomBytes(32)).open('session one', 'id token', sealed)).toBeUndefined()
})

test('a sealed token hides its text and differs each time', () => {
  expect(sealed.includes('secret')).toBe(false)
  expect(tokens.seal('session one', 'id token', 'eyJ.secret.ü')).not.toEqual(sealed)
})

test('a changed, shortened or missing token does not open', () => {
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(tokens.open('session one', 'id token', changed)).toBeUndefined()
    expect(tokens.open('session one', 'id token', sealed.subarray(0, at))).toBeUndefined()
  }
  expect(tokens.open('session one', 'id token', null)).toBeUndefined()
})
