import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProviderFetch, ProviderUnreachable } from '#server/doors/provider-fetch.ts'

let server: http.Server
let port: number
const asked: string[] = []
beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    asked.push(request.url ?? '')
    let body = ''
    for await (const piece of request) body += piece
    if (request.url === '/hang') return
    if (request.url === '/large') return void response.end('x'.repeat(300 * 1024))
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/' }).end()
    if (request.url === '/empty') return void response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ body }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

const open = () => ({ isHttpAllowed: true, allowed: new Set([`127.0.0.1:${port}`]) })
const GET = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
const url = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`

test('asks a provider and returns its answer', async () => {
  const ask = createProviderFetch(open())
  const answer = await ask(url('/token'), { ...GET, method: 'POST', body: new URLSearchParams({ code: '1' }) } as never)
  expect(await answer.json()).toEqual({ body: 'code=1' })
  expect((await ask(url('/empty'), GET as never)).status).toBe(204)
})

test('follows no redirect', async () => {
  expect((await createProviderFetch(open())(url('/redirect'), GET as never)).status).toBe(302)
})

test('stops reading an answer that is too large, and waiting for one that does not come', async () => {
  const ask = createProviderFetch(open(), { timeout: 300 })
  await expect(ask(url('/large'), GET as never)).rejects.toThrow('The answer is larger than 256 kB')
  await expect(ask(url('/hang'), GET as never)).rejects.toThrow('No answer in time')
})

test.each<[what: string, address: () => string, options: object]>([
  ['a loopback address', () => url('/'), {}],
  [
    'a name that leads to loopback',
    () => url('/', 'id.company.example'),
    { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  ],
  [
    'a name that leads to a public and a private address',
    () => url('/', 'id.company.example'),
    {
      resolve: async () => [
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.7', family: 4 },
      ],
    },
  ],
  ['the address of cloud metadata', () => 'http://169.254.169.254/', {}],
  ['loopback in IPv6', () => `http://[::1]:${port}/`, {}],
])('does not ask %s', async (_, address, options) => {
  const before = asked.length
  const ask = createProviderFetch({ isHttpAllowed: true, allowed: new Set() }, options)
  await expect(ask(address(), GET as never)).rejects.toThrow(ProviderUnreachable)
  await expect(ask(address(), GET as never)).rejects.toThrow('The host is not public')
  expect(asked).toHaveLength(before)
})

test('asks over http only where the installation allows it', async () => {
  const ask = createProviderFetch({ ...open(), isHttpAllowed: false })
  await expect(ask(url('/'), GET as never)).rejects.toThrow('The URL must begin with https://.')
})
