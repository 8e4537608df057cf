import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createEndpointSecret,
  formatSecret,
  openSealedSecret,
  sealSecret,
  signedHeaders,
} from '#server/modules/webhooks/webhook-secret.seal.ts'

const NOW = new Date('2026-11-18T10:00:00Z')
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }))
afterEach(() => void vi.useRealTimers())

const message = { id: 'd6a1c1f2-0000-4000-8000-000000000001', timestamp: NOW.getTime() / 1000, body: '{"type":"ä"}' }

test('a secret is whsec_ and 32 random bytes in base64', () => {
  const text = formatSecret(createEndpointSecret())
  expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(formatSecret(createEndpointSecret())).not.toBe(text)
})

test('the independent verifier of Standard Webhooks accepts the signature', () => {
  const secret = createEndpointSecret()
  const headers = signedHeaders([secret], message)
  expect(new Webhook(formatSecret(secret)).verify(message.body, headers)).toEqual({ type: 'ä' })
})

test('while a secret is rotated, the holders of either one accept the signature', () => {
  const [current, former, other] = [createEndpointSecret(), createEndpointSecret(), createEndpointSecret()]
  const headers = signedHeaders([current, former], message)
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
  for (const secret of [current, former]) new Webhook(formatSecret(secret)).verify(message.body, headers)
  expect(() => new Webhook(formatSecret(other)).verify(message.body, headers)).toThrow()
})

test.each([
  ['another body', { body: '{}' }, {}],
  ['another id', {}, { 'webhook-id': 'other' }],
  ['another time', {}, { 'webhook-timestamp': String(message.timestamp + 1) }],
])('the verifier refuses %s', (_, { body = message.body }: { body?: string }, changed) => {
  const secret = createEndpointSecret()
  const headers = { ...signedHeaders([secret], message), ...changed }
  expect(() => new Webhook(formatSecret(secret)).verify(body, headers)).toThrow()
})

test('a sealed secret opens for its own endpoint only', () => {
  const installation = createEndpointSecret()
  const secret = createEndpointSecret()
  const sealed = sealSecret(installation, { customerNumber: '1', id: 'a' }, secret)
  expect(sealed.includes(secret)).toBe(false)
  expect(openSealedSecret(installation, { customerNumber: '1', id: 'a' }, sealed)).toEqual(secret)
  expect(openSealedSecret(installation, { customerNumber: '1', id: 'b' }, sealed)).toBeUndefined()
  expect(openSealedSecret(createEndpointSecret(), { customerNumber: '1', id: 'a' }, sealed)).toBeUndefined()
})
