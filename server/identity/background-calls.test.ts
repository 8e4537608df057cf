import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { alertList } from '#contract/messages/alert-list.ts'
import { activeNotifications } from '#contract/messages/notifications.ts'
import { getTask, listTasks } from '#contract/tasks/tasks.ts'
import { type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const MINUTE = 60_000
const query = { customerNumber: '100001' }
const headers = { 'x-background': '1' }

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

describe('a session ends 30 minutes after the last call of a person', () => {
  test.each<[string, Operation, CallParts, number]>([
    ['alerts are refreshed', activeNotifications, {}, 200],
    ['a background task is polled', getTask, { query, params: { id: randomUUID() } }, 404],
    ['the list of tasks is polled', listTasks, { query, headers }, 200],
    ['a table reloads by itself', alertList.page, { body: {}, headers }, 200],
  ])('although %s every minute', async (_, operation, parts, status) => {
    const cookie = await signIn(portal.app, ADA)
    const call = async () => (await callOperation(portal.app, operation, cookie, parts)).status
    for (let minute = 1; minute < 30; minute++) {
      portal.clock.forward(MINUTE)
      expect(await call()).toBe(status)
    }
    portal.clock.forward(MINUTE)
    expect(await call()).toBe(401)
  })
})

test('a person who opens the list of tasks stays signed in', async () => {
  const cookie = await signIn(portal.app, ADA)
  portal.clock.forward(29 * MINUTE)
  expect((await callOperation(portal.app, listTasks, cookie, { query })).status).toBe(200)
  portal.clock.forward(29 * MINUTE)
  expect((await callOperation(portal.app, getUserDetails, cookie, {})).status).toBe(200)
})
