import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import {
  type AccountSwitches,
  getAccountSwitches,
  setAccountSwitches,
} from '#contract/settings/portal-access-switches.ts'
import { FREE_DOMAIN } from '#domain/settings/email-address.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const OLIVIA = 'olivia.ops@vendor.example'
const GRETA = 'greta.generator@partner.example'
const SAUL = 'saul.access@partner.example'
const customerNumber = '100003'
const partner: AccountSwitches = { isAccessDisabled: false, salesAccess: [SAUL], fnpLicenseGenerators: [GRETA] }

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

async function save(email: string | null, newSwitches: unknown, oldSwitches: unknown = partner) {
  const call = await portal.as(email)
  return call(setAccountSwitches, { body: { customerNumber, newSwitches, oldSwitches } })
}
async function load(email: string | null = OLIVIA, number = customerNumber) {
  const call = await portal.as(email)
  return call(getAccountSwitches, { body: { customerNumber: number } })
}

test('business operations reads the switches', async () => {
  expect((await load()).body).toEqual({ status: 'SUCCESS', data: partner })
  expect((await load(OLIVIA, '100008')).body.data).toEqual({
    isAccessDisabled: true,
    salesAccess: [],
    fnpLicenseGenerators: [],
  })
})

test('business operations changes the switches, which take effect at once and are audited', async () => {
  const wanted = { isAccessDisabled: true, salesAccess: [GRETA, SAUL], fnpLicenseGenerators: [] }
  expect((await save(OLIVIA, { ...wanted, salesAccess: [SAUL, ' GRETA.generator@partner.example'] })).body).toEqual({
    status: 'SUCCESS',
    data: wanted,
  })
  const greta = await portal.as(GRETA)
  const info = await greta(getAccountInfo, { params: { customerNumber } })
  expect(info.body.data).toMatchObject({ isAccessDisabled: true, isSalesAccess: true, isFNPLicenseGenerator: false })
  const trace = await portal.db
    .selectFrom('audit_log')
    .select(['email', 'target', 'before', 'after'])
    .where('action', '=', 'setaccountswitches')
    .execute()
  expect(trace).toEqual([{ email: OLIVIA, target: customerNumber, before: partner, after: wanted }])
  expect((await save(OLIVIA, wanted)).status, 'there already').toBe(200)

  const stale = await save(OLIVIA, { ...partner, isAccessDisabled: true })
  expect(stale).toMatchObject({
    status: 409,
    body: { status: 'FAILURE', data: { current: wanted, yours: { ...partner, isAccessDisabled: true } } },
  })
  expect((await save(OLIVIA, partner, wanted)).body.data).toEqual(partner)
})

test("a role that the vendor's systems have granted since is not overwritten", async () => {
  const granted = { customer_number: customerNumber, email: GRETA, kind: 'sales-access', granted_by: 'test' } as const
  await portal.db.insertInto('account_grant').values(granted).execute()
  const current = { ...partner, salesAccess: [GRETA, SAUL] }
  expect(await save(OLIVIA, { ...partner, isAccessDisabled: true })).toMatchObject({
    status: 409,
    body: { data: { current } },
  })
  expect((await save(OLIVIA, partner, current)).status).toBe(200)
})

describe('a change of the switches is refused', () => {
  test('the refusal has the error text of the form', async () => {
    const answer = await save(OLIVIA, { ...partner, salesAccess: ['saul@gmail.com'] })
    expect(answer).toMatchObject({ status: 400, body: { err: FREE_DOMAIN } })
    expect((await save(OLIVIA, { ...partner, isAccessDisabled: 'yes' })).status).toBe(400)
  })

  test.each([
    [null, 401],
    [GRETA, 403],
    ['sam.support@vendor.example', 403],
    ['adam.admin@vendor.example', 403],
    ['ada.admin@aerodyne.example', 404],
  ])('%s gets the status %i', async (who, status) => {
    expect((await load(who)).status).toBe(status)
    expect((await save(who, partner)).status).toBe(status)
  })

  test('an account that does not exist gets the status 404', async () => {
    expect((await load(OLIVIA, '999999')).status).toBe(404)
  })
})

test('the runtime configuration says where emails go', async () => {
  expect((await portal.app.inject('/config.json')).json()).toMatchObject({ mailDelivery: 'mailbox' })
})
