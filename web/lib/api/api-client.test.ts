import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BACKGROUND_HEADER } from '#contract/kit/operation.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { loadRuntimeConfig } from '#web/lib/runtime-config.ts'
import { watchInput } from '#web/lib/sign-in/last-input.ts'

const sent: Headers[] = []

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address === '/config.json') return Response.json({ apiUrl: '/api' })
    sent.push(new Headers(init?.headers))
    return Response.json({ status: 'SUCCESS', data: {} })
  })
  await loadRuntimeConfig()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a call counts as activity until nobody has touched the page for 5 s', async () => {
  const page = new EventTarget()
  watchInput(page)
  for (const [seconds, isTouched] of [
    [0, true],
    [5, false],
    [1, false],
    [0, true],
  ] as const) {
    vi.advanceTimersByTime(seconds * 1000)
    if (isTouched) page.dispatchEvent(new Event('keydown'))
    await call('getUserDetails')
  }
  expect(sent.map((headers) => headers.get(BACKGROUND_HEADER))).toEqual([null, null, '1', null])
})

test('a file can be JSON, and a refusal is none', async () => {
  const file = () => fetchFile('tasks/file', { params: { id: 'x' }, query: { customerNumber: '1' } })
  const answer = (body: object, headers = {}) => vi.stubGlobal('fetch', async () => Response.json(body, { headers }))
  answer({ unreadLines: 1 }, { 'content-disposition': 'attachment; filename=debug.log.read.json' })
  expect(JSON.parse(await (await file()).text())).toEqual({ unreadLines: 1 })
  answer({ status: 'FAILURE', err: 'The file is gone.' })
  await expect(file()).rejects.toThrow('The file is gone.')
})
