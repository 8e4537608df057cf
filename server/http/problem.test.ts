import { afterAll, beforeAll, expect, test } from 'vitest'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { setReminders } from '#contract/reminders/reminders.ts'
import { whoami } from '#contract/service/whoami.ts'
import { createToken } from '#contract/tokens/tokens.ts'
import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { bearer, giveServiceKey } from '#server/testing/service-keys.ts'

const PROBLEM = { accept: 'application/problem+json, application/json' }
let portal: Portal
let token: Record<string, string>
let key: Record<string, string>
beforeAll(async () => {
  portal = await startPortal({ RATE_LIMIT: '1000' })
  token = (await giveApiToken(portal, { scopes: ['usage:read', 'entitlements:write'] })).headers
  key = (await giveServiceKey(portal, 'Problems', { scopes: ['web'] })).headers
})
afterAll(() => portal.close())

const post = (url: string, headers: Record<string, string>, payload: object) =>
  portal.app.inject({ method: 'POST', url, headers, payload })

test.each<[what: string, status: number, code: string, url: string, body: object, sent: () => object]>([
  ['a wrong token', 401, 'NOT_SIGNED_IN', usageList.page.path, {}, () => bearer('lpc_x')],
  ['a missing scope', 403, 'NOT_ALLOWED', '/api/fulfillments/servers', { customerNumber: '100001' }, () => token],
  ['an unknown account', 404, 'NOT_FOUND', usageList.page.path, { customerNumber: '999999' }, () => token],
  ['an unknown field', 400, 'INVALID_REQUEST', usageList.page.path, { customerNumber: '100001', x: 1 }, () => token],
  ['an unknown path', 404, 'NOT_FOUND', '/api/nothing', {}, () => key],
  ['a service key without the scope', 403, 'NOT_ALLOWED', '/service/v1/usage', {}, () => key],
])('%s is a problem with the status %s and the code %s', async (_, status, code, url, body, sent) => {
  const headers = sent() as Record<string, string>
  const plain = await post(url, headers, body)
  expect(plain.statusCode).toBe(status)
  expect(plain.headers['content-type']).toContain('application/json')
  expect(plain.json()).toMatchObject({ status: 'FAILURE', code })
  const answer = await post(url, { ...headers, ...PROBLEM }, body)
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.headers.vary).toContain('Accept')
  expect(answer.json()).toEqual({
    type: `urn:licensing-portal:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: expect.any(String),
    status,
    detail: plain.json().err,
    instance: `urn:licensing-portal:request:${answer.headers['x-request-id']}`,
    code,
  })
})

test('a path that cannot be decoded is a problem', async () => {
  const answer = await portal.app.inject({ url: '/api/%E0%A4%A', headers: { ...token, ...PROBLEM } })
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.json()).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
})

test.each([
  ['application/problem+json;q=0, application/json', 'application/json; charset=utf-8'],
  ['application/problem+json; charset=utf-8; q=0.000', 'application/json; charset=utf-8'],
  ['application/json, Application/Problem+JSON; q=0.5', 'application/problem+json'],
  ['application/problem+json-seq', 'application/json; charset=utf-8'],
])('a program that accepts %s gets errors as %s', async (accept, type) => {
  const answer = await post(usageList.page.path, { ...token, accept }, {})
  expect(answer.headers['content-type']).toContain(type)
})

test('a conflict carries both versions', async () => {
  const body = { customerNumber: '100001', reminders: { ...NO_REMINDERS }, revision: 77 }
  const answer = await post(setReminders.path, { ...token, ...PROBLEM }, body)
  expect(answer.json()).toMatchObject({ status: 409, code: 'STALE', data: { current: {}, yours: NO_REMINDERS } })
})

test('a person gets our own form, whatever the browser accepts', async () => {
  const cookie = await signIn(portal.app, 'vic.viewer@aerodyne.example')
  const answer = await post(
    createToken.path,
    { cookie, 'x-requested-with': 'portal', ...PROBLEM },
    { customerNumber: '100001' },
  )
  expect(answer.json()).toMatchObject({ status: 'FAILURE', code: 'NOT_ALLOWED' })
})

test('every answer tells the limit and what is left of it', async () => {
  const request = { method: 'POST', url: usageList.page.path, remoteAddress: '198.51.100.7' } as const
  const ask = (headers: Record<string, string>) =>
    portal.app.inject({ ...request, headers, payload: { customerNumber: '100001', limit: 1 } })
  const [first, second, refused] = [await ask(token), await ask(token), await ask({})]
  expect([first, second, refused].map(({ statusCode }) => statusCode)).toEqual([200, 200, 401])
  expect(first.headers['ratelimit-policy']).toBe('"address";q=1000;w=60')
  expect(first.headers.ratelimit).toMatch(/^"address";r=999;t=\d+$/)
  expect(second.headers.ratelimit).toMatch(/^"address";r=998;t=\d+$/)
  expect(refused.headers.ratelimit).toMatch(/^"address";r=997;t=\d+$/)
  const service = await portal.app.inject({ url: whoami.path, headers: key })
  expect(service.headers['ratelimit-policy']).toMatch(/^"address";q=\d+;w=60$/)
})

test('the API document has the scheme of tokens, their scopes, and an example of every call', async () => {
  const { body } = await portal.app.inject({ url: '/api/docs/json', headers: token })
  const document = JSON.parse(body)
  expect(document.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' })
  const usage = document.paths['/api/fetchUsage'].post
  expect(usage.security).toEqual([{ session: [] }, { token: ['usage:read'] }])
  expect(usage.requestBody.content['application/json'].example).toMatchObject({ customerNumber: '100001' })
  expect(usage['x-codeSamples'][0].source).toContain('curl')
  expect(document.paths['/api/tokens/create'].post.security).toEqual([{ session: [] }])
  const { $ref } = document.components.responses['403'].content['application/problem+json'].schema
  expect(document.components.schemas[$ref.split('/').at(-1)].required).toContain('detail')
})
