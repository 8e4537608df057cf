import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { refusalsOf } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { neededScopes } from '#domain/tokens/token-areas.ts'
import { refusalStatuses } from '#server/http/documented-answers.ts'
import { errorWithoutValues } from '#server/http/request-log.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

let portal: Portal
const lines: string[] = []
beforeAll(async () => {
  portal = await startPortal({ LOG_LEVEL: 'info' }, { logStream: { write: (line) => lines.push(line) } })
})
afterAll(() => portal.close())

test('answers the liveness and readiness probes', async () => {
  expect((await portal.app.inject('/healthz')).statusCode).toBe(200)
  expect((await portal.app.inject('/readyz')).json()).toEqual({ status: 'SUCCESS', data: 'ready' })
})

test('every answer has the time of the portal', async () => {
  for (const path of ['/healthz', '/api/getUserDetails', '/no-such-page'])
    expect((await portal.app.inject(path)).headers.date, path).toBe(portal.clock.now().toUTCString())
})

test('metrics count requests, for this machine only', async () => {
  await portal.app.inject('/healthz')
  const answer = await portal.app.inject('/metrics')
  expect(answer.body).toMatch(/portal_request_seconds_count\{method="GET",route="\/healthz",status="200"\} \d+/)
  for (const pool of ['main', 'access', 'reads', 'prepared'])
    for (const state of ['total', 'idle', 'waiting'])
      expect(answer.body).toMatch(
        new RegExp(`^portal_database_connections\\{pool="${pool}",state="${state}"\\} \\d+$`, 'm'),
      )
  expect(answer.body).toMatch(/^portal_query_seconds_count\{pool="access"\} [1-9]\d*$/m)
  for (const figure of ['commits', 'rollbacks', 'deadlocks', 'blocks_read', 'blocks_hit']) {
    expect(answer.body).toContain(`# TYPE portal_database_${figure}_total counter`)
    expect(answer.body).toMatch(new RegExp(`^portal_database_${figure}_total \\d+$`, 'm'))
  }
  expect(answer.body, 'the first scrape has figures').toMatch(/^portal_database_commits_total [1-9]\d*$/m)
  for (const figure of ['portal_database_size_bytes', 'portal_signed_in_sessions', 'portal_elastic_sessions'])
    expect(answer.body).toMatch(new RegExp(`^${figure} \\d+$`, 'm'))
  expect(answer.body).toMatch(/^portal_build_info\{version="[\d.]+",commit="\w*",node="v24[\d.]+"\} 1$/m)
  expect(answer.body).toContain('# TYPE portal_jobs gauge')
  expect(answer.body).toMatch(/^portal_outbox_messages\{lane="mail",state="(queued|failed)"\} \d+$/m)
  expect((await portal.app.inject({ url: '/metrics', remoteAddress: '192.0.2.1' })).statusCode).toBe(403)
})

test('metrics tell backups and drills that are late or failed, the age of what waits for its seal, and free disk space', async () => {
  const figure = async (name: string) => {
    const { body } = await portal.app.inject('/metrics')
    return Number(body.match(new RegExp(`^portal_${name} (.+)$`, 'm'))?.[1])
  }
  expect(await figure('recovery_late\\{kind="backup"\\}')).toBe(1)
  const run = { kind: 'backup', begun_by: 'a test', machine: 'here', begun_at: portal.clock.now() } as const
  const ended = { ended_at: portal.clock.now() }
  await portal.db
    .insertInto('recovery_run')
    .values({ ...run, ...ended, state: 'done' })
    .execute()
  expect(await figure('recovery_late\\{kind="backup"\\}')).toBe(0)
  const seconds = portal.clock.now().getTime() / 1000
  expect(await figure('recovery_last_success_seconds\\{kind="backup"\\}')).toBeCloseTo(seconds, 1)
  await portal.db
    .insertInto('recovery_run')
    .values({ ...run, ...ended, kind: 'drill', state: 'failed', failure: 'a test' })
    .execute()
  expect(await figure('recovery_failed\\{kind="drill"\\}')).toBe(1)
  expect(await figure('recovery_failed\\{kind="backup"\\}')).toBe(0)
  expect(await figure('audit_unsealed_seconds')).toBeGreaterThanOrEqual(0)
  const free = await figure('disk_free_bytes\\{folder="data"\\}')
  expect(free).toBeGreaterThan(0)
  expect(await figure('disk_size_bytes\\{folder="database"\\}')).toBeGreaterThanOrEqual(free)
})

test('metrics count business refusals by their code', async () => {
  const send = await portal.as('sam.support@vendor.example')
  await send(usageList.page, { body: { customerNumber: '100001', limit: 1001 } })
  const { body } = await portal.app.inject('/metrics')
  expect(body).toMatch(/^portal_refusals_total\{method="POST",route="\/api\/fetchUsage",code="TOO_MANY_ROWS"\} 1$/m)
})

test('the documentation lists every metric', async () => {
  const { body } = await portal.app.inject('/metrics')
  const names = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string)
  const page = fs.readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8')
  const short = (name: string) => name.replace(/^portal_database(_.*_total)$/, '$1')
  expect(names.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${short(name)}\``))).toEqual([])
})

test('the log has one line for each request, and none for probes', async () => {
  lines.length = 0
  const send = await portal.as('sam.support@vendor.example')
  await portal.app.inject('/readyz')
  await send(getUserDetails)
  const about = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request')
  expect(about.filter(({ route }) => route === '/readyz')).toEqual([])
  expect(about.filter(({ route }) => route === getUserDetails.path)).toEqual([
    expect.objectContaining({ method: 'GET', status: 200 }),
  ])
})

test('the log has no emails and addresses of people unless LOG_PERSONAL_DATA is set', async () => {
  const ask = async (logged: Portal) => {
    const send = await logged.as('sam.support@vendor.example')
    await send(getUserDetails)
    await logged.app.inject({ url: '/api/environment?kept=yes', remoteAddress: '192.0.2.77' })
  }
  lines.length = 0
  await ask(portal)
  expect(lines.join('')).toContain('"url":"/api/environment"')
  expect(lines.join('')).not.toMatch(/sam[.]support|192[.]0[.]2|kept=yes/)

  const open = await startPortal(
    { LOG_LEVEL: 'info', LOG_PERSONAL_DATA: '1' },
    { logStream: { write: (line) => lines.push(line) } },
  )
  onTestFinished(() => open.close())
  await ask(open)
  const text = lines.join('')
  expect(text).toContain('"caller":"sam.support@vendor.example"')
  expect(text).toContain('"address":"192.0.2.77"')
  expect(text).toContain('"url":"/api/environment?kept=yes"')
})

test('errors in the log have no values of rows', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "contact_pkey"'), {
    code: '23505',
    detail: 'Key (email)=(ada@aerodyne.example) already exists.',
    where: 'COPY contact, line 1: "ada@aerodyne.example"',
    constraint: 'contact_pkey',
    cause: Object.assign(new Error('inner'), { detail: 'ada@aerodyne.example' }),
  })
  const logged = JSON.stringify(errorWithoutValues(error))
  const several = errorWithoutValues(new AggregateError([error], 'several'))
  expect(several).toMatchObject({ message: 'several', errors: [JSON.parse(logged)] })
  expect(logged).not.toContain('aerodyne')
  expect(JSON.parse(logged)).toMatchObject({ code: '23505', constraint: 'contact_pkey', cause: { message: 'inner' } })
})

test('the OpenAPI document has every operation', async () => {
  const document = (await portal.app.inject('/api/docs/json')).json() as { paths: Record<string, object> }
  for (const operation of OPERATIONS) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    expect(document.paths[path], path).toHaveProperty(operation.method.toLowerCase())
  }
  const page = await portal.app.inject('/api/docs/')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  // The page has the icon and the font of the portal.
  const [icon, style] = ['favicon.svg', 'portal.css'].map((name) => `/api/docs/static/theme/${name}`)
  for (const url of [icon, style]) {
    expect(page.body).toContain(`href=".${url?.replace('/api/docs', '')}"`)
    expect((await portal.app.inject(url ?? '')).statusCode).toBe(200)
  }
})

describe('in uat and prod, the documentation of the API', () => {
  const start = async (settings: Record<string, string> = {}) => {
    const uat = await startPortal({ PORTAL_ENV: 'uat', ...settings })
    onTestFinished(() => uat.close())
    return uat
  }

  test('is readable for people who are signed in and for service keys', async () => {
    const uat = await start()
    const cookie = await signIn(uat.app, 'ned.nobody@nowhere.example')
    const { headers } = await giveServiceKey(uat, 'Reader', { scopes: ['usage'] })
    for (const url of ['/api/docs/', '/api/docs/json', '/api/docs/yaml']) {
      expect((await uat.app.inject(url)).json(), url).toMatchObject({ status: 'FAILURE', code: 'NOT_SIGNED_IN' })
      expect((await uat.app.inject({ url, headers: { cookie: 'session=x' } })).statusCode, url).toBe(401)
      expect((await uat.app.inject({ url, headers: { cookie } })).statusCode, url).toBe(200)
      expect((await uat.app.inject({ url, headers })).statusCode, url).toBe(200)
    }
  })

  test('leads a browser to sign-in and back', async () => {
    const { app } = await start()
    const answer = await app.inject({ url: '/api/docs', headers: { accept: 'text/html,*/*' } })
    expect(answer.headers.location).toBe('/auth/login?returnTo=/api/docs/')
  })

  test('is readable for everybody with PUBLIC_API_DOCS=1', async () => {
    const { app } = await start({ PUBLIC_API_DOCS: '1' })
    expect((await app.inject('/api/docs/json')).statusCode).toBe(200)
  })
})

test('the OpenAPI document says how each operation is called: with a session, a token, a service key or by anybody', async () => {
  type Document = {
    paths: Record<string, Record<string, { security?: unknown }>>
    components: { securitySchemes: Record<string, object> }
  }
  const { paths, components } = (await portal.app.inject('/api/docs/json')).json() as Document
  expect(components.securitySchemes).toMatchObject({
    session: { type: 'apiKey', in: 'cookie', name: 'session' },
    serviceKey: { type: 'http', scheme: 'bearer' },
    token: { type: 'http', scheme: 'bearer' },
  })
  for (const operation of OPERATIONS) {
    const { path, method, access } = operation
    const { security } = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
    if (access.kind === 'public') expect(security, path).toEqual([])
    else if (access.kind === 'service') expect(security, path).toEqual([{ serviceKey: [access.scope ?? []].flat() }])
    else {
      const tokens = neededScopes(operation).map((scope) => ({ token: [scope] }))
      expect(security, path).toEqual([{ session: [] }, ...tokens])
    }
  }
})

test('the OpenAPI document names its schemas and stays small', async () => {
  const answer = await portal.app.inject('/api/docs/json')
  // A third of it are the examples of calls.
  expect(answer.body.length).toBeLessThan(1_250_000)
  const { components } = answer.json() as { components: { schemas: Record<string, object> } }
  expect(components.schemas).toMatchObject({
    Failure: { properties: { code: { $ref: '#/components/schemas/FailureCode' } } },
    FetchUsageRequest: { properties: { sorting: { $ref: '#/components/schemas/Sorting' } } },
    Sorting: { items: { properties: { direction: { enum: ['asc', 'desc', 'ASC', 'DESC'] } } } },
  })
  const refs = new Set(
    [...answer.body.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name as string),
  )
  expect([...refs].filter((name) => !Object.hasOwn(components.schemas, name))).toEqual([])
  expect(Object.keys(components.schemas).filter((name) => !/^[A-Z]\w*$/.test(name))).toEqual([])
})

test('the OpenAPI document has the codes and statuses of each operation, and no others', async () => {
  type Response = { content?: Record<string, { schema: { $ref: string } }> }
  type Document = {
    paths: Record<string, Record<string, { responses: Record<string, Response> }>>
    components: { schemas: Record<string, { properties: { code?: { enum: string[] } } }> }
  }
  const { paths, components } = (await portal.app.inject('/api/docs/json')).json() as Document
  for (const operation of OPERATIONS) {
    const { path, method, media } = operation
    const { responses } = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? { responses: {} }
    const statuses = Object.keys(responses).map(Number)
    expect(statuses, path).toEqual([200, ...(operation.isConditional ? [304] : []), ...refusalStatuses(operation)])
    const ref = responses['200']?.content?.['application/json']?.schema.$ref.replace('#/components/schemas/', '')
    expect((ref && components.schemas[ref]?.properties.code?.enum) ?? [], path).toEqual(refusalsOf(operation))
    if (media) expect(responses['200']?.content, path).toHaveProperty([media])
  }
})

test('security headers are strict everywhere', async () => {
  for (const url of ['/healthz', '/api/nothing', '/auth/login', '/config.json']) {
    const { headers } = await portal.app.inject(url)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
})

test('answers 404 for unknown paths in the shape of every error', async () => {
  for (const [method, url] of [
    ['GET', '/api/nothing'],
    ['DELETE', '/api/getaccounts'],
    ['POST', '/auth/nothing'],
  ] as const) {
    const answer = await portal.app.inject({ method, url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({
      status: 'FAILURE',
      code: 'NOT_FOUND',
      err: `Not found: ${method} ${url}`,
    })
  }
})

describe('an internal error', () => {
  test('is answered with the reference id of its log line, without details', async () => {
    const cookie = await signIn(portal.app, 'ada.admin@aerodyne.example')
    await portal.db.schema.alterTable('person').renameTo('person_away').execute()
    const answer = await portal.app.inject({ url: getUserDetails.path, headers: { cookie } })
    await portal.db.schema.alterTable('person_away').renameTo('person').execute()
    expect(answer.statusCode).toBe(500)
    const err = answer.json().err as string
    const reference = /reference id \[([0-9a-f]{32})\]$/.exec(err)?.[1]
    expect(reference).toBeDefined()
    expect(err).not.toContain('person')
    const logged = lines.map((line) => JSON.parse(line) as { level: number; reqId?: string; err?: { message: string } })
    expect(logged.find((line) => line.level === 50 && line.reqId === reference)?.err?.message).toContain('person')
    expect(answer.headers['x-request-id']).toBe(reference)
  })
})

test('a file that was sent is not followed by an error in the log', async () => {
  const cookie = await signIn(portal.app, 'ada.admin@aerodyne.example')
  lines.length = 0
  const payload = {
    customerNumber: '100001',
    filter: { condition: 'ALL', criteria: [{ name: 'ProductCount', method: 'EQUALS', value: 3 }] },
  }
  const answer = await portal.app.inject({
    method: 'POST',
    url: usageList.exportCsv.path,
    headers: { cookie },
    payload,
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain('text/csv')
  expect(lines.map((line) => JSON.parse(line) as { level: number }).filter(({ level }) => level >= 50)).toEqual([])
})

test('logs never contain the query of a sign-in, however its path is written', async () => {
  lines.length = 0
  await signIn(portal.app, 'ada.admin@aerodyne.example')
  for (const url of [
    '/auth/callback?code=a-code&state=a-state',
    '/%61uth/callback?code=a-code&state=a-state',
    '//auth/callback?code=a-code',
    '/auth/%zz?code=a-code',
    '/auth/nothing?code=a-code',
    '/auth/login?login_hint=a-hint&returnTo=/home',
    '/demo-idp/auth?code=a-code',
  ])
    await portal.app.inject(url)
  await portal.db.schema.alterTable('sign_in_attempt').renameTo('attempt_away').execute()
  expect((await portal.app.inject('/auth/login?login_hint=a-hint')).statusCode).toBe(500)
  await portal.db.schema.alterTable('attempt_away').renameTo('sign_in_attempt').execute()
  const text = lines.join('')
  expect(text).toContain('"url":"/auth/callback"')
  expect(text).not.toMatch(/a-code|a-state|a-hint|login_hint|code_challenge|aerodyne/)
})

test('logs never contain a cookie or a secret', async () => {
  await signIn(portal.app, 'ada.admin@aerodyne.example')
  const session = await portal.db.selectFrom('session').select('id_hash').execute()
  expect(session.length).toBeGreaterThan(0)
  expect(lines.join('')).not.toMatch(/session=|set-cookie|"cookie"/i)
})
