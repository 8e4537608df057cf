import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSetup } from '#contract/setup/get-setup.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { setupLines } from '#server/modules/setup/setup.public.ts'
import { grantStaffRole } from '#server/modules/staff/staff.public.ts'
import { freshDatabase } from '#server/testing/database.ts'
import {
  type IdentityProvider,
  signInThrough,
  startIdentityProvider,
} from '#server/testing/outside/identity-provider.ts'
import { callOperation, type Portal, startPortal } from '#server/testing/portal.ts'

const people = {
  first: { email: 'first@vendor.example' },
  stranger: { email: 'stranger@elsewhere.example' },
}

let provider: IdentityProvider
let database: Awaited<ReturnType<typeof freshDatabase>>
let portal: Portal
beforeAll(async () => {
  provider = await startIdentityProvider({ people })
  database = await freshDatabase()
  portal = await startPortal({ ...provider.settings, DEMO: '0' }, { db: database.db, pool: database.pool })
})
afterAll(async () => {
  await portal.close()
  await database.close()
  await provider.close()
})

async function states() {
  const state = async (subject: keyof typeof people) => {
    const { cookie } = await signInThrough(portal, subject)
    const { status, body } = await callOperation(portal.app, getSetup, cookie, {})
    expect(status).toBe(200)
    return (body.data as { state: string }).state
  }
  return { first: await state('first'), stranger: await state('stranger') }
}

test('an installation tells people what to do next until somebody is in charge and accounts have arrived', async () => {
  expect(await states()).toEqual({ first: 'new', stranger: 'new' })
  expect(await setupLines(database.db, portal.config)).toEqual([
    '\nThere are no accounts yet, and nobody has a staff role. What to do next:',
    expect.stringContaining('1. Give the first person a staff role'),
    '     npm run portal -- users grant you@vendor.example busops',
    expect.stringContaining('2. Import your data'),
    '     npm run portal -- import products products.csv',
    '     npm run portal -- import rate-tables rate-tables.csv',
    '     npm run portal -- import price-lists price-lists.csv',
    '     npm run portal -- import accounts accounts.csv',
    '     npm run portal -- import contacts contacts.csv',
    '     npm run portal -- import roles roles.csv',
    '     npm run portal -- import elastic-servers elastic-servers.csv',
    '     npm run portal -- import fsa-contracts fsa-contracts.csv',
    '     npm run portal -- import entitlements entitlements.csv',
    '     npm run portal -- import hosts hosts.csv',
    '     npm run portal -- import fulfillments fulfillments.csv',
    '     npm run portal -- import usage usage.csv',
    expect.stringContaining('3. Create keys for your systems'),
    "     npm run portal -- keys create 'ERP system' --scope accounts,catalog,entitlements,hosts,roles,usage",
  ])

  const by = auditContextOf(OPERATOR, { at: new Date(), address: 'command line', requestId: '' })
  await grantStaffRole(database.db, { email: 'first@vendor.example', role: 'busops' }, by)
  expect(await states()).toEqual({ first: 'empty', stranger: 'ready' })
  expect((await setupLines(database.db, portal.config)).join('\n')).not.toContain('users grant')

  const account = { customer_number: '1', name: 'One', time_zone: 'UTC' }
  await database.db.insertInto('account').values(account).execute()
  expect(await states()).toEqual({ first: 'ready', stranger: 'ready' })
  expect(await setupLines(database.db, portal.config)).toEqual([])
})

test('an installation with accounts tells how to give the first staff role until somebody has one', async () => {
  const removed = await database.db.deleteFrom('staff_role').returningAll().execute()
  expect(await states()).toEqual({ first: 'unstaffed', stranger: 'unstaffed' })
  expect(await setupLines(database.db, portal.config)).toEqual([
    '\nThere are accounts, but nobody has a staff role. What to do next:',
    expect.stringContaining('1. Give the first person a staff role'),
    '     npm run portal -- users grant you@vendor.example busops',
  ])
  const signIn = portal.config.signIn && { ...portal.config.signIn, roleMap: new Map([['lp-ops', 'busops' as const]]) }
  expect(await setupLines(database.db, { signIn })).toEqual([])
  await database.db.insertInto('staff_role').values(removed).execute()
  expect(await states()).toEqual({ first: 'ready', stranger: 'ready' })
})

test('nothing about the setup is shown before sign-in', async () => {
  expect(await callOperation(portal.app, getSetup, undefined, {})).toMatchObject({ status: 401 })
})
