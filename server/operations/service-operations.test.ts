import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operation } from '#contract/kit/operation.ts'
import { exactly } from '#contract/kit/schema.ts'
import { plain } from '#domain/audit/words.ts'
import { answerErrors } from '#server/http/errors.ts'
import { createRoute } from '#server/operations/route.ts'
import { type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { jobServices } from '#server/testing/usage-exports.ts'

/**
 * A service operation like those of modules, on a separate app: tests guard, scope, audit and Idempotency-Key of a
 * service key.
 */
const sendReading = operation({
  name: 'service/reading',
  method: 'POST',
  path: '/service/v1/reading',
  summary: 'Takes a reading',
  access: { kind: 'service', scope: 'usage' },
  token: null,
  writes: true,
  audit: plain('Took a reading', 'take a reading'),
  body: exactly({ value: Type.Integer() }),
  data: Type.Integer(),
})

let portal: Portal
let app: FastifyInstance
let readings: number[] = []
beforeAll(async () => {
  portal = await startPortal()
  app = Fastify()
  app.decorateRequest('principal', null)
  app.decorateRequest('caller', null)
  answerErrors(app)
  await app.register(cookie)
  const services = jobServices(portal)
  createRoute(
    app,
    services,
    services,
    new Set(),
    'service',
  )(sendReading, async ({ body, serviceKey, audit }) => {
    readings.push(body.value)
    await audit({ target: serviceKey.name, after: body.value })
    return { data: readings.length }
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await portal.close()
})

/** Sends a request as a program does: without the header that browsers need. */
const send = (parts: CallParts, sessionCookie?: string) =>
  callOperation(app, { ...sendReading, writes: false }, sessionCookie, parts)

const lastAudited = () =>
  portal.db
    .selectFrom('audit_log')
    .select(['email', 'principal', 'action', 'target', 'outcome', 'reason'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

test('a key with the scope may write, and the audit log names it', async () => {
  const { id, headers } = await giveServiceKey(portal, 'Metering', { scopes: ['usage'] })
  expect((await send({ body: { value: 1 }, headers })).body).toEqual({ status: 'SUCCESS', data: 1 })
  expect(await lastAudited()).toEqual({
    email: `Metering (${id})`,
    principal: 'service key',
    action: sendReading.name,
    target: 'Metering',
    outcome: 'done',
    reason: null,
  })
})

test('a key without the scope is refused with 403 before its body is looked at, and is in the audit log', async () => {
  const { id, headers } = await giveServiceKey(portal, 'Catalog', { scopes: ['catalog', 'accounts'] })
  expect(await send({ body: { value: 'wrong' }, headers })).toMatchObject({
    status: 403,
    body: { code: 'NOT_ALLOWED', err: 'This service key does not have the scope usage' },
  })
  expect(await lastAudited()).toEqual({
    email: `Catalog (${id})`,
    principal: 'service key',
    action: 'service/reading',
    target: null,
    outcome: 'refused',
    reason: 'This service key does not have the scope usage',
  })
})

test('a body that is not valid is refused with 400', async () => {
  const { headers } = await giveServiceKey(portal, 'Malformed')
  expect((await send({ body: { value: 'wrong' }, headers })).status).toBe(400)
})

test('the cross-site check is for cookies: a key needs no header, wherever the call comes from', async () => {
  const foreign = { origin: 'https://erp.vendor.example', 'sec-fetch-site': 'cross-site' }
  const { headers } = await giveServiceKey(portal, 'Elsewhere')
  expect((await send({ body: { value: 2 }, headers: { ...headers, ...foreign } })).status).toBe(200)
  const sessionCookie = await signIn(portal.app, 'olivia.ops@vendor.example')
  expect((await send({ body: { value: 2 }, headers: foreign }, sessionCookie)).status).toBe(403)
  const fromPortal = { 'x-requested-with': 'portal' }
  expect((await send({ body: { value: 2 }, headers: fromPortal }, sessionCookie)).status).toBe(401)
})

test('an Idempotency-Key belongs to one service key', async () => {
  readings = []
  const one = await giveServiceKey(portal, 'One')
  const other = await giveServiceKey(portal, 'Other')
  const key = { 'idempotency-key': 'shared' }
  for (const { headers } of [one, one, other]) await send({ body: { value: 3 }, headers: { ...headers, ...key } })
  expect(readings).toEqual([3, 3])
  const { path: url } = sendReading
  const differing = await app.inject({
    method: 'POST',
    url,
    payload: { value: 4 },
    headers: { ...one.headers, ...key },
  })
  expect(differing.statusCode).toBe(409)
})
