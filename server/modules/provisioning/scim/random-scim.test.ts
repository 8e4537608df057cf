import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { runRandomScim } from '#server/testing/scim/random-scim.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

test('random calls of a provider end where the model ends', async () => {
  expect(await runRandomScim(portal, { runs: 4, length: 60 })).toBe(240)
})
