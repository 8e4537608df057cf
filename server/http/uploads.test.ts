import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadServerId } from '#contract/activations/hosts/upload-server-id.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import { MAX_LICENSE_FILE } from '#domain/activations/license-files/license-limits.ts'
import { ADA, VIC } from '#server/testing/activations.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const customerNumber = '100001'
const MEGABYTE = 1024 * 1024
const TRIAD = ['a', 'b', 'c'].map((end, at) => `SERVER core-${end} 02:42:ac:11:00:0${at} 2325`).join('\r\n')

let portal: Portal
let cookie: string
let port: number
beforeAll(async () => {
  portal = await startPortal()
  cookie = await signIn(portal.app, ADA)
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as AddressInfo).port
})
afterAll(() => portal.close())

const upload = async (file: Buffer, email = ADA, account = customerNumber) =>
  (await portal.as(email))(uploadServerId, { body: { customerNumber: account, file } })

test('reads a triad from a license file', async () => {
  expect((await upload(Buffer.from(`\ufeff${TRIAD}\r\nVENDOR ansyslmd`))).body).toEqual({
    status: 'SUCCESS',
    data: {
      serverName: 'core-a,core-b,core-c',
      serverId: '0242ac110000,0242ac110001,0242ac110002',
      serverIdType: 'ETHERNET,ETHERNET,ETHERNET',
      quorum: true,
      numServers: 3,
      portNumber: 2325,
    },
  })
})

test('refuses what is no license file with a reason', async () => {
  const answer = await upload(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]))
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ status: 'FAILURE', code: 'NOT_A_LICENSE_FILE' })
  expect(answer.body.err).toContain('This is a PNG image, not a license file.')
})

test.each([
  ['a viewer', VIC, customerNumber, 403],
  ['a stranger', 'sol.single@bluewater.example', customerNumber, 404],
  ['an account under export denial', 'ella.export@restricted.example', '100004', 403],
])('%s is refused', async (_, email, account, status) => {
  expect((await upload(Buffer.from(TRIAD), email, account)).status).toBe(status)
})

test('takes a file of exactly the limit, and refuses one byte more with 413', async () => {
  const padded = (bytes: number) => Buffer.from(`${TRIAD}\n`.padEnd(bytes, `#${' '.repeat(98)}\n`))
  expect((await upload(padded(MAX_LICENSE_FILE))).body.status).toBe('SUCCESS')
  const answer = await upload(padded(MAX_LICENSE_FILE + 1))
  expect(answer.status).toBe(413)
  expect(answer.body).toEqual({
    status: 'FAILURE',
    code: 'TOO_LARGE',
    err: 'The file is too large. The limit is 1 MB.',
  })
})

const FORM_TYPE = 'multipart/form-data; boundary=x'
const part = (name: string, value: string, fileName = '') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${fileName && `; filename="${fileName}"`}\r\n\r\n${value}\r\n`

async function inject(payload: string, type = FORM_TYPE) {
  const answer = await portal.app.inject({
    method: 'POST',
    url: uploadServerId.path,
    headers: { cookie, 'content-type': type },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() as { status: string; code: string; err: string } }
}

const account = part('customerNumber', customerNumber)
test.each([
  ['JSON', '{"customerNumber":"100001"}', 'application/json', 415],
  ['a form without boundary', account, 'multipart/form-data', 400],
  ['an empty form', '--x--\r\n', FORM_TYPE, 400],
  ['a form without a file', `${account}--x--\r\n`, FORM_TYPE, 400],
  ['a file as text', `${account}${part('file', TRIAD)}--x--\r\n`, FORM_TYPE, 400],
  ['an unknown field', `${account}${part('bogus', '1')}${part('file', TRIAD, 'a')}--x--\r\n`, FORM_TYPE, 400],
  ['the same field twice', `${account}${account}${part('file', TRIAD, 'a')}--x--\r\n`, FORM_TYPE, 400],
  ['two files', `${account}${part('file', TRIAD, 'a')}${part('other', TRIAD, 'b')}--x--\r\n`, FORM_TYPE, 413],
  ['a long field', `${part('customerNumber', '1'.repeat(5000))}${part('file', TRIAD, 'a')}--x--\r\n`, FORM_TYPE, 400],
  [
    'a field named __proto__',
    `${account}${part('__proto__', '1')}${part('file', TRIAD, 'a')}--x--\r\n`,
    FORM_TYPE,
    400,
  ],
  ['U+0000', `${part('customerNumber', '100\x001')}${part('file', TRIAD, 'a')}--x--\r\n`, FORM_TYPE, 400],
  ['a form that is cut off', `${account}${part('file', TRIAD, 'a').slice(0, 60)}`, FORM_TYPE, 400],
])('refuses %s', async (_, payload, type, status) => {
  const answer = await inject(payload, type)
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  expect(answer.body).toMatchObject({ status: 'FAILURE', code: expect.stringMatching(/^[A-Z_]+$/) })
  expect(answer.body.err).not.toMatch(/reference id|undefined/)
})

const head = (cookieSent: string, ...lengthHeader: string[]) =>
  [
    `POST ${uploadServerId.path} HTTP/1.1`,
    `host: localhost:${port}`,
    `cookie: ${cookieSent}`,
    `content-type: ${FORM_TYPE}`,
    ...lengthHeader,
  ].join('\r\n')

/** A real connection and the server's end of it; `answer` grows as the server sends. */
async function connect() {
  const socket = net.connect(port, '127.0.0.1')
  const [[server]] = await Promise.all([once(portal.app.server, 'connection'), once(socket, 'connect')])
  const received = { answer: '' }
  socket.on('data', (piece) => {
    received.answer += piece
  })
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => resolve()))
  return { socket, server: server as Socket, received, ended }
}
const FILE_START = account + part('file', '', 'big.lic').slice(0, -2)
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

test('answers 401 to an unknown session before any byte of the body arrives, and closes the connection', async () => {
  const { socket, received, ended } = await connect()
  socket.write(`${head(`session=${'x'.repeat(43)}`, 'content-length: 500000')}\r\n\r\n`)
  await until(() => received.answer !== '', 'the server waits for the body')
  expect(received.answer).toMatch(/^HTTP\/1\.1 401 /)
  await ended
})

test('answers 413 with the first byte beyond the limit, while the client is still sending', async () => {
  const { socket, server, received, ended } = await connect()
  socket.write(`${head(cookie, 'transfer-encoding: chunked')}\r\n\r\n${chunk(FILE_START)}`)
  const piece = 64 * 1024
  for (let sent = 0; sent < MAX_LICENSE_FILE; sent += piece) socket.write(chunk('#'.repeat(piece)))
  await until(() => server.bytesRead > MAX_LICENSE_FILE, 'the file does not arrive')
  expect(received.answer).toBe('')
  // Long enough that it cannot be the beginning of the boundary, which the reader holds back.
  socket.write(chunk('#'.repeat(100)))
  await ended
  expect(received.answer).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([
  ['with its length in the header', `content-length: ${50 * MEGABYTE}`],
  ['in chunks of unknown length', 'transfer-encoding: chunked'],
])('refuses 50 MB %s without reading them', async (_, lengthHeader) => {
  const { socket, server, received, ended } = await connect()
  const send = (text: string) => socket.write(lengthHeader.startsWith('transfer') ? chunk(text) : text)
  socket.write(`${head(cookie, lengthHeader)}\r\n\r\n`)
  send(FILE_START)
  const piece = '#'.repeat(64 * 1024)
  for (let sent = 0; sent < 50 * MEGABYTE && socket.writable && received.answer === ''; sent += piece.length)
    if (!send(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), ended])
  await ended
  expect(received.answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(received.answer).toContain('"code":"TOO_LARGE"')
  // What was on its way is thrown away.
  expect(server.bytesRead).toBeLessThan(25 * MEGABYTE)
})

const LONG = `content-length: ${50 * MEGABYTE}`
test.each([
  ['a file that is too large', () => head(cookie, LONG), 413],
  ['a file from an unknown session', () => head(`session=${'x'.repeat(43)}`, LONG), 401],
  [
    'JSON that is too large',
    () =>
      head(cookie, LONG, 'x-requested-with: portal')
        .replace(uploadServerId.path, sendObservations.path)
        .replace(FORM_TYPE, 'application/json'),
    413,
  ],
])('answers a client that reads only when it has sent all of %s', async (_, start, status) => {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const failures: Error[] = []
  socket.on('error', (error) => failures.push(error))
  socket.write(`${start()}\r\n\r\n`)
  const piece = Buffer.alloc(64 * 1024, '#')
  for (let sent = 0; sent < 50 * MEGABYTE && !failures.length; sent += piece.length)
    await new Promise((resolve) => socket.write(piece, resolve))
  expect(failures).toEqual([])
  const [answer] = await once(socket, 'data')
  expect(answer.toString()).toContain(`HTTP/1.1 ${status} `)
  socket.destroy()
})
