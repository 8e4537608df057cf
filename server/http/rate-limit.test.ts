import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { whoami } from '#contract/service/whoami.ts'
import { ORIGIN, type Portal, startPortal } from '#server/testing/portal.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const LIMIT = 5
const SERVICE_LIMIT = 8

let portal: Portal
let web: string
/** Every test uses another address, because the limit is per address. */
let lastAddress = 0
beforeAll(async () => {
  web = builtWebApp()
  portal = await startPortal({ RATE_LIMIT: String(LIMIT), SERVICE_RATE_LIMIT: String(SERVICE_LIMIT) }, { web })
})
beforeEach(() => void lastAddress++)
afterAll(async () => {
  await portal.close()
  fs.rmSync(web, { recursive: true, force: true })
})

const get = (url: string) => portal.app.inject({ url, remoteAddress: `192.0.2.${lastAddress}` })

function builtWebApp(): string {
  const directory = walkableDirectory('web')
  fs.mkdirSync(path.join(directory, 'assets'))
  fs.writeFileSync(path.join(directory, 'index.html'), '<html></html>')
  fs.writeFileSync(path.join(directory, 'assets/app-1a2b.js'), 'export {}')
  return directory
}

async function sendForStatuses(url: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await get(url)).statusCode)
  return statuses
}

test.each([
  ['an operation', '/api/environment', 200],
  ['an operation whose path is percent-encoded', '/%61pi/environment', 200],
  ['a sign-in', '/auth/logout', 404],
  ['an unknown call', '/api/nothing', 404],
  ['an unknown path, which is answered with the page', '/home', 200],
  ['the page itself', '/', 200],
  ['a file that is gone', '/assets/gone.js', 404],
  ['a path that cannot be decoded', '/api/%E0%A4%A', 400],
])('the rate limit counts %s', async (_, url, status) => {
  expect(await sendForStatuses(url, LIMIT + 2)).toEqual([...Array(LIMIT).fill(status), 429, 429])
})

test('counts all kinds of requests together', async () => {
  for (const url of ['/api/environment', '/auth/logout', '/home', '/api/nothing', '/api/%E0%A4%A'])
    expect((await get(url)).statusCode).not.toBe(429)
  const answer = await get('/api/environment')
  expect(answer.statusCode).toBe(429)
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  expect(answer.json()).toMatchObject({
    status: 'FAILURE',
    err: expect.stringContaining(`Too many requests: at most ${LIMIT} a minute`),
  })
})

test('counts the service API separately, with its own limit', async () => {
  expect(await sendForStatuses(whoami.path, SERVICE_LIMIT + 1)).toEqual([...Array(SERVICE_LIMIT).fill(401), 429])
  expect((await get('/api/environment')).statusCode).toBe(200)
})

test('counts a request whose target is a whole address', async () => {
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  const getWhole = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = http.get(
        { port, host: '127.0.0.1', path: `${ORIGIN}/api/environment`, headers: { host: new URL(ORIGIN).host } },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        },
      )
      request.on('error', reject)
    })
  const statuses: (number | undefined)[] = []
  for (let i = 0; i < LIMIT + 1; i++) statuses.push(await getWhole())
  expect(statuses).toEqual([...Array(LIMIT).fill(200), 429])
})

test('does not count the files of the web app, nor probes of monitors', async () => {
  for (const url of ['/assets/app-1a2b.js', '/assets/%61pp-1a2b.js', '/healthz', '/readyz'])
    expect(await sendForStatuses(url, LIMIT + 2), url).toEqual(Array(LIMIT + 2).fill(200))
  expect(await sendForStatuses('/metrics', LIMIT + 2)).toEqual(Array(LIMIT + 2).fill(403))
  expect((await get('/api/environment')).statusCode).toBe(200)
})
