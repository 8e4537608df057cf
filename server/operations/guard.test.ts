import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { savePreferences } from '#contract/settings/preferences.ts'
import type { Pool } from '#server/db/database.ts'
import { NO_MEMORY } from '#server/session/remembered-callers.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
/** The pool that the guard uses; nothing is remembered, so that every call loads its caller. */
let guardPool: Pool
let portal: Portal
beforeAll(async () => {
  const callers = (pool: Pool) => {
    guardPool = pool
    return NO_MEMORY
  }
  portal = await startPortal({}, { callers })
})
afterAll(() => portal.close())

test.each([
  ['that may be read', ['100001', '100002'], 200],
  ['of which one is not visible and one does not exist', ['100001', '100002', '100003', '999999'], 404],
])('loads session, person and standings on several accounts %s in one query', async (_, accounts, status) => {
  const ada = await portal.as(ADA)
  const query = vi.spyOn(guardPool, 'query')
  const tables = accounts.map((customerNumber) => ({ customerNumber, tableName: 'emailList' }))
  expect((await ada(savePreferences, { body: { tables } })).status).toBe(status)
  const statements = query.mock.calls.map(([statement]) => (statement as unknown as { name: string }).name)
  query.mockRestore()
  expect(statements).toEqual(['load-caller-on-several'])
})
