import { afterAll, beforeAll, expect, test } from 'vitest'
import { getRecentAccounts, noteOpenedAccount } from '#contract/accounts/recent-accounts.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

test('lists the accounts that a person opened, newest first', async () => {
  const ada = await portal.as('ada.admin@aerodyne.example')
  expect((await ada(getRecentAccounts)).body).toEqual({ status: 'SUCCESS', data: [] })
  for (const customerNumber of ['100001', '100002', '100001']) {
    portal.clock.forward(1000)
    expect((await ada(noteOpenedAccount, { body: { customerNumber } })).status).toBe(200)
  }
  expect((await ada(getRecentAccounts)).body.data).toEqual([
    { AccountID: '100001', AccountName: 'Aerodyne Motors' },
    { AccountID: '100002', AccountName: 'Aerodyne Racing' },
  ])
  const olivia = await portal.as('olivia.ops@vendor.example')
  expect((await olivia(getRecentAccounts)).body.data).toEqual([])
})

test('leaves out accounts that the person no longer sees', async () => {
  const vic = await portal.as('vic.viewer@aerodyne.example')
  await vic(noteOpenedAccount, { body: { customerNumber: '100001' } })
  await portal.db.deleteFrom('contact').where('email', '=', 'vic.viewer@aerodyne.example').execute()
  expect((await vic(getRecentAccounts)).body.data).toEqual([])
})

test('refuses accounts that the caller does not see, and callers without a session', async () => {
  const ada = await portal.as('ada.admin@aerodyne.example')
  expect((await ada(noteOpenedAccount, { body: { customerNumber: '100003' } })).status).toBe(404)
  expect((await ada(noteOpenedAccount, { body: { customerNumber: 1 } })).status).toBe(400)
  const ella = await portal.as('ella.export@restricted.example')
  expect((await ella(noteOpenedAccount, { body: { customerNumber: '100004' } })).status).toBe(403)
  const nobody = await portal.as(null)
  expect((await nobody(getRecentAccounts)).status).toBe(401)
})
