import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { webApp } from '#server/http/web-app.ts'

async function served() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-web-'))
  fs.mkdirSync(path.join(directory, 'assets'))
  fs.writeFileSync(
    path.join(directory, 'index.html'),
    '<meta content="__SESSION__"><style nonce="__CSP_NONCE__"></style>',
  )
  fs.writeFileSync(path.join(directory, 'assets/app-1a2b.js'), 'export {}')
  fs.writeFileSync(path.join(directory, 'assets/app-1a2b.js.br'), 'compressed')
  const app = Fastify()
  onTestFinished(async () => {
    await app.close()
    fs.rmSync(directory, { recursive: true })
  })
  await securityHeaders(app, readConfig({}))
  await webApp(app, directory, (request) => request.headers.cookie !== undefined)
  return app
}

test.each(['/', '/home', '/index.html', '/emails/42'])('%s is the page, with a fresh nonce', async (url) => {
  const answer = await (await served()).inject(url)
  expect(answer.statusCode).toBe(200)
  const nonce = answer.body.match(/nonce="([^"]+)"/)?.[1]
  expect(answer.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('answers HEAD for a page without its body', async () => {
  expect((await (await served()).inject({ method: 'HEAD', url: '/home' })).statusCode).toBe(200)
})

test.each(['/api/nothing', '/%61pi/nothing', '/assets/gone.js', '/favicon.ico'])('%s is not the page', async (url) => {
  expect((await (await served()).inject(url)).statusCode).toBe(404)
})

test('files with a hash in their name are cached for a year', async () => {
  const { headers } = await (await served()).inject('/assets/app-1a2b.js')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('sends the compressed file to browsers that accept it', async () => {
  const app = await served()
  const url = '/assets/app-1a2b.js'
  const small = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
  expect(small.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(small.body).toBe('compressed')
  expect((await app.inject(url)).body).toBe('export {}')
})

test.each([
  [{}, 'none'],
  [{ cookie: 'session=1' }, 'cookie'],
])('the page says whether the browser sent a session cookie: %j', async (headers, content) => {
  const answer = await (await served()).inject({ url: '/home', headers })
  expect(answer.body).toContain(`<meta content="${content}">`)
})
