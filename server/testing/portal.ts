import fs from 'node:fs'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { inject } from 'vitest'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import { type Operation, refusalsOf } from '#contract/kit/operation.ts'
import { buildApp } from '#server/app.ts'
import type { AppOptions } from '#server/app-options.ts'
import { type Config, readConfig } from '#server/config.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { refusalStatuses } from '#server/http/documented-answers.ts'
import { demoDatabase, type OwnedDatabase, type TestDatabase } from '#server/testing/database.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

/** The default Host of an injected request. */
export const ORIGIN = 'http://localhost'

/** A clock that only moves when a test moves it. It starts at the time of the demo data, so that its days match. */
export class TurnedClock {
  #now = new Date(inject('demoMadeAt'))
  now = () => this.#now
  forward(milliseconds: number): void {
    this.#now = new Date(this.#now.getTime() + milliseconds)
  }
}

export type Answer = {
  status: number
  body: Record<string, unknown> & { err?: string }
  headers: LightMyRequestResponse['headers']
}
export type CallParts = {
  body?: unknown
  params?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
}

export type Portal = Awaited<ReturnType<typeof startPortal>>

/** The real app on a real database with the real demo data; only the clock is fake. */
export async function startPortal(
  settings: Record<string, string> = {},
  more: Partial<AppOptions> = {},
  given?: OwnedDatabase | TestDatabase,
) {
  const database = given ?? (await demoDatabase())
  const portal = database.portal ?? database
  const clock = new TurnedClock()
  const files = walkableDirectory('portal')
  const config: Config = {
    ...readConfig({ PUBLIC_URL: ORIGIN, LOG_LEVEL: 'silent', RATE_LIMIT: '1000000', DATA_DIR: files, ...settings }),
  }
  const app = await buildApp({ ...portal, config, clock, people: SIGN_IN_PEOPLE, ...more })
  await app.ready()
  takeAnyPort(app)
  const cookies = new Map<string, string>()
  return {
    ...database,
    portal,
    app,
    clock,
    config,
    /** Calls as a signed-in person, or as nobody. */
    async as(email: string | null) {
      if (email !== null && !cookies.has(email)) cookies.set(email, await signIn(app, email))
      const cookie = email === null ? undefined : cookies.get(email)
      return (operation: Operation, parts: CallParts = {}) => callOperation(app, operation, cookie, parts)
    },
    async close() {
      await app.close()
      await database.close()
      fs.rmSync(files, { recursive: true, force: true })
    },
  }
}

/** Tests listen on a free port, which no setting can name: calls to it count as calls to ORIGIN. */
export function takeAnyPort(app: FastifyInstance): void {
  app.server.prependListener('request', ({ headers, socket }) => {
    if (headers.host?.endsWith(`:${socket.localPort}`)) headers.host = new URL(ORIGIN).host
  })
}

export async function callOperation(
  app: FastifyInstance,
  operation: Operation,
  cookie: string | undefined,
  { body, params = {}, query, headers = {} }: CallParts,
): Promise<Answer> {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const form = operation.upload && body !== undefined ? await formOf(body as object) : undefined
  const answer = await app.inject({
    method: operation.method,
    url: path,
    headers: {
      ...(cookie ? { cookie } : {}),
      ...(operation.writes ? { 'x-requested-with': 'portal' } : {}),
      ...form?.headers,
      ...headers,
    },
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { payload: form?.payload ?? (body as object) }),
  })
  const { statusCode: status, headers: answered } = answer
  const given = { status, body: operation.wire ? plainBody(answer) : bodyOf(answer), headers: answered }
  expectDocumented(operation, given)
  return given
}

/** The documentation of an operation has every status and code that it answers. */
function expectDocumented(operation: Operation, { status, body }: Answer): void {
  const { name } = operation
  const code = String(body.code)
  if (process.env.RECORD_CODES)
    return void fs.appendFileSync(process.env.RECORD_CODES, `${name} ${status} ${body.status} ${code}\n`)
  if (status === 304 && operation.isConditional) return
  // A standard has its own success: created, or no content.
  if (operation.wire && status < 300) return
  if (status !== 200 && !(refusalStatuses(operation) as readonly number[]).includes(status))
    throw new Error(`${name} answered ${status}: add it to refusalStatuses. ${body.err}`)
  if (status === 200 && body.status === 'FAILURE' && !(refusalsOf(operation) as readonly string[]).includes(code))
    throw new Error(`${name} answered ${code}: add it to the refusals of the operation in contract/. ${body.err}`)
}

/** A multipart form as a browser sends it: bytes are files, everything else is text. */
async function formOf(body: object): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    if (value instanceof Uint8Array) form.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), 'license.lic')
    else if (value !== undefined && value !== null) form.append(name, String(value))
  const request = new Request(ORIGIN, { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  return { payload: Buffer.from(await request.arrayBuffer()), headers }
}

function bodyOf(answer: LightMyRequestResponse): Answer['body'] {
  return answer.headers['content-type']?.toString().includes('application/json')
    ? answer.json()
    : { text: answer.body, bytes: answer.rawPayload }
}

/** Errors in the form of a standard, in ours: what tests check of every operation, they check of these as well. */
function plainBody({ statusCode, body }: LightMyRequestResponse): Answer['body'] {
  const given = body === '' ? {} : (JSON.parse(body) as { detail?: string })
  return statusCode < 400 ? given : { status: 'FAILURE', code: codeOfStatus(statusCode), err: String(given.detail) }
}

/** Signs in through OpenID Connect, redirect by redirect, as a browser would; returns the session cookie. */
export async function signIn(app: FastifyInstance, email: string): Promise<string> {
  const jar = new CookieJar()
  const end = await follow(app, jar, `/auth/login?login_hint=${encodeURIComponent(email)}`)
  const session = jar.get('session')
  if (!session) throw new Error(`${email} is not signed in: ${end.statusCode} ${end.body}`)
  return `session=${session}`
}

export async function follow(
  app: FastifyInstance,
  jar: CookieJar,
  start: string,
  origin = ORIGIN,
): Promise<LightMyRequestResponse> {
  let url = start
  for (let hops = 0; hops < 12; hops++) {
    const answer = await app.inject({ url, headers: { host: new URL(origin).host, cookie: jar.header() } })
    jar.take(answer)
    const location = answer.headers.location
    if (!location || answer.statusCode < 300 || answer.statusCode >= 400) return answer
    const next = new URL(String(location), origin)
    if (next.origin !== origin || !/^\/(auth|demo-idp)\//.test(next.pathname)) return answer
    url = next.pathname + next.search
  }
  throw new Error(`${start} redirects in circles`)
}

export class CookieJar {
  readonly #cookies = new Map<string, string>()
  take(answer: LightMyRequestResponse): void {
    for (const cookie of answer.cookies) {
      const gone = cookie.maxAge === 0 || (cookie.expires !== undefined && cookie.expires.getTime() <= Date.now())
      if (gone || cookie.value === '') this.#cookies.delete(cookie.name)
      else this.#cookies.set(cookie.name, cookie.value)
    }
  }
  get = (name: string) => this.#cookies.get(name)
  set = (name: string, value: string) => this.#cookies.set(name, value)
  names = () => [...this.#cookies.keys()]
  header = () => [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}
