import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { BODY_LIMIT, type Operation } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { setFeatures } from '#contract/settings/features.ts'
import { bodyClass, onePerClass } from '#server/testing/full-run.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

const MEGABYTE = 1024 * 1024
let portal: Portal
let port: number
/** Credentials of a caller with all rights, for people's operations and for the service API. */
let people: Record<string, string>
let service: Record<string, string>
beforeAll(async () => {
  portal = await startPortal()
  people = { cookie: await signIn(portal.app, 'olivia.ops@vendor.example'), 'x-requested-with': 'portal' }
  service = (await giveServiceKey(portal, 'Bodies')).headers
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as AddressInfo).port
})
afterAll(() => portal.close())

const JSON_HEADERS = { 'content-type': 'application/json', 'x-requested-with': 'portal' }

async function send(operation: Operation, payload: string, headers: Record<string, string>) {
  const answer = await portal.app.inject({
    method: operation.method,
    url: operation.path.replace(/:\w+/g, '100001'),
    headers: { ...JSON_HEADERS, ...headers },
    payload,
  })
  return { status: answer.statusCode, headers: answer.headers, code: (answer.json() as { code?: string }).code }
}
const signedIn = ({ access }: Operation) => (access.kind === 'service' ? service : people)

/** All operations share the code that reads bodies; a full run tries each of them. Those of a standard have tests of their own. */
const READ_ALIKE = onePerClass(
  OPERATIONS.filter(({ wire }) => wire === undefined),
  (operation) => `${operation.body !== undefined} ${bodyClass(operation)}`,
)

test.each(READ_ALIKE.filter(({ access }) => access.kind !== 'public'))(
  '$name answers 401 to a large body of an unknown caller without parsing it',
  async (operation) => {
    // Neither JSON nor within any limit: if it were parsed, it would get 400 or 413.
    const noJson = '{'.repeat(9 * MEGABYTE)
    const answer = await send(operation, noJson, {})
    expect(answer).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' })
    expect(answer.headers.connection).toBe('close')
  },
)

test('a public operation takes no body', () => {
  const open = OPERATIONS.filter(({ access }) => access.kind === 'public')
  expect(open.filter(({ body, method }) => body !== undefined || method !== 'GET')).toEqual([])
})

describe.each(READ_ALIKE.filter(({ body, upload }) => body && !upload))('the body of $name', (operation) => {
  test('is refused with 413 from the first byte beyond the limit on', async () => {
    const limit = operation.bodyLimit ?? BODY_LIMIT
    expect((await send(operation, '[]'.padEnd(limit), signedIn(operation))).status).toBe(400)
    expect(await send(operation, '[]'.padEnd(limit + 1), signedIn(operation))).toMatchObject({
      status: 413,
      code: 'TOO_LARGE',
    })
  })

  test('is refused with 415 if it is compressed', async () => {
    const answer = await send(operation, '[]', { ...signedIn(operation), 'content-encoding': 'gzip' })
    expect(answer).toMatchObject({ status: 415, code: 'INVALID_REQUEST', headers: { 'accept-encoding': 'identity' } })
    expect((await send(operation, '[]', { ...signedIn(operation), 'content-encoding': 'identity' })).status).toBe(400)
  })
})

test('a body is limited to 64 kB unless the operation declares more', () => {
  expect(setFeatures).not.toHaveProperty('bodyLimit')
  expect(BODY_LIMIT).toBe(65_536)
})

test('a body to an unknown address is not parsed beyond 64 kB', async () => {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/nowhere',
    headers: JSON_HEADERS,
    payload: '[]'.padEnd(BODY_LIMIT + 1),
  })
  expect(answer.statusCode).toBe(413)
})

describe('over a real connection', () => {
  /** The request, the server's end of its connection, and the answer when it comes. */
  async function connect(headers: Record<string, string | number>) {
    const request = http.request({ port, host: '127.0.0.1', method: 'POST', path: sendUsage.path, headers })
    const connected = once(portal.app.server, 'connection') as Promise<[Socket]>
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    const closed = new Promise<void>((resolve) => request.on('close', resolve))
    request.on('error', () => {})
    request.flushHeaders()
    return { request, server: (await connected)[0], answered, closed }
  }

  test('an unknown caller is answered before any byte of a large body arrives', async () => {
    const { request, answered, closed } = await connect({ ...JSON_HEADERS, 'content-length': 5 * MEGABYTE })
    const [answer] = await answered
    expect(answer.statusCode).toBe(401)
    expect(answer.headers.connection).toBe('close')
    answer.resume()
    request.destroy()
    await closed
  })

  test.each([
    ['of a declared length', { 'content-length': 50 * MEGABYTE }],
    ['in chunks of unknown length', { 'transfer-encoding': 'chunked' }],
  ])('50 MB of an unknown caller %s are not read', async (_, length) => {
    const { request, server, answered } = await connect({ ...JSON_HEADERS, ...length })
    const over = once(server, 'close')
    const piece = 'x'.repeat(64 * 1024)
    for (let sent = 0; sent < 50 * MEGABYTE && !server.closed; sent += piece.length)
      if (!request.write(piece)) await Promise.race([once(request, 'drain').catch(() => {}), over])
    const [answer] = await answered
    expect(answer.statusCode).toBe(401)
    expect(server.bytesRead).toBeLessThan(5 * MEGABYTE)
    request.destroy()
  })

  test('an unknown caller who sends a short body keeps the connection', async () => {
    const body = '{"transactions":[]}'
    const { request, answered, closed } = await connect({ ...JSON_HEADERS, 'content-length': body.length })
    request.end(body)
    const [answer] = await answered
    expect(answer.statusCode).toBe(401)
    expect(answer.headers.connection).toBe('keep-alive')
    answer.resume()
    await closed
  })
})
