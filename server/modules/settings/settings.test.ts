import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, getBuildInfo } from '#contract/settings/environment.ts'
import { type Feature, getFeatures, setFeatures } from '#contract/settings/features.ts'
import { buildApp } from '#server/app.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

const enabled = (data: unknown) =>
  (data as Feature[]).filter((feature) => feature.enabled).map((feature) => feature.name)

test('answers the environment and the build info', async () => {
  const nobody = await portal.as(null)
  expect((await nobody(environment)).body).toEqual({ status: 'SUCCESS', data: 'dev' })
  const ada = await portal.as(ADA)
  expect((await ada(getBuildInfo)).body.data).toMatch(/^\d+\.\d+\.\d+/)
})

test('config.json has what the browser needs, and no secret', async () => {
  const answer = await portal.app.inject('/config.json')
  expect(answer.json()).toMatchObject({
    environment: 'dev',
    brand: { name: 'Licensing Portal' },
    alertRefreshMinutes: 15,
  })
  expect(answer.body).not.toMatch(/secret|password|postgres/i)
})

const ON_BY_DEFAULT = 21

describe('feature flags', () => {
  test('are on by default, except the variant that conflicts', async () => {
    const ada = await portal.as(ADA)
    const { data } = (await ada(getFeatures)).body
    expect(enabled(data)).toHaveLength(ON_BY_DEFAULT)
    expect((data as Feature[]).find((feature) => feature.name === 'f1202990')).toMatchObject({
      enabled: false,
      isDefault: false,
      conflicts: ['web-assignments'],
    })
  })

  test('features are chosen per person', async () => {
    const [ada, vic] = [await portal.as(ADA), await portal.as(VIC)]
    const chosen = await ada(setFeatures, { body: { features: ['home', 'elastic', 'f1202990'] } })
    expect(enabled(chosen.body.data)).toEqual(['home', 'elastic', 'f1202990'])
    expect(enabled((await ada(getFeatures)).body.data)).toEqual(['home', 'elastic', 'f1202990'])
    expect(enabled((await vic(getFeatures)).body.data)).toHaveLength(ON_BY_DEFAULT)
  })

  test('that conflict are refused, and nothing changes', async () => {
    const vic = await portal.as(VIC)
    const answer = await vic(setFeatures, { body: { features: ['f1202990', 'web-assignments'] } })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'FAILURE', err: 'Selections are in conflict. Deselect one or more option.' },
    })
    expect(enabled((await vic(getFeatures)).body.data)).toHaveLength(ON_BY_DEFAULT)
  })

  test('that do not exist are refused by name', async () => {
    const vic = await portal.as(VIC)
    expect(await vic(setFeatures, { body: { features: ['teleport'] } })).toMatchObject({
      status: 400,
      body: { err: "Unknown feature 'teleport'" },
    })
  })

  test('cannot be chosen in production, where stored choices are ignored', async () => {
    const config = { ...portal.config, environment: 'prod' as const }
    const app = await buildApp({
      db: portal.db,
      pool: portal.pool,
      clock: portal.clock,
      config,
      people: SIGN_IN_PEOPLE,
    })
    const cookie = await signIn(app, ADA)
    expect(enabled((await callOperation(app, getFeatures, cookie, {})).body.data)).toHaveLength(ON_BY_DEFAULT)
    expect((await callOperation(app, setFeatures, cookie, { body: { features: [] } })).status).toBe(403)
    await app.close()
  })
})
