import { expect, test } from 'vitest'
import { generateLicense } from '#contract/activations/license-files/license-files.ts'
import { previewPlan } from '#contract/activations/plans/host-plans.ts'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { regenerateFiles } from '#contract/activations/plans/start-plans.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { NO_FILE_OUT_OF_DATE } from '#domain/activations/plans/host-plan.ts'
import { sellLicense, VIC } from '#server/testing/activations.ts'
import { activate, carryOut, newHost, stateIn } from '#server/testing/host-plans.ts'
import { FIRST, planPortal } from '#server/testing/plan-portal.ts'

const at = planPortal()
const { ada } = at
const all = { customerNumber: FIRST }

/** A host whose license file lacks the seats that were activated last. */
async function outOfDateHost(): Promise<HostIdentity> {
  const host = newHost()
  const activation = await sellLicense(at.portal)
  await activate(ada, FIRST, host, { [activation]: 1 })
  await ada(generateLicense, { body: { ...all, ...host } })
  await activate(ada, FIRST, host, { [activation]: 2 })
  return host
}

async function preview(): Promise<PlanPreview> {
  const { body } = await ada(previewPlan, { body: { ...all, action: 'REGENERATE' } })
  return body.data as PlanPreview
}

test('all license files that are out of date are generated in one plan, and seats stay as they are', async () => {
  const hosts = [await outOfDateHost(), await outOfDateHost()]
  const { files, changes, basis } = await preview()
  const named = files.map(({ server }) => server.serverId)
  for (const { serverId } of hosts) expect(named).toContain(serverId)
  expect(changes).toEqual([])
  await carryOut(at.portal, FIRST, await ada(regenerateFiles, { body: { ...all, basis } }))
  for (const host of hosts) expect(await stateIn(ada, FIRST, host)).toMatchObject({ isOutOfDate: false })
  const again = await ada(regenerateFiles, { body: all })
  expect(again.body).toMatchObject({ code: 'NOTHING_TO_DO', err: NO_FILE_OUT_OF_DATE })
  expect((await preview()).files).toEqual([])
})

test('a file that went out of date after the preview is not generated unseen', async () => {
  await outOfDateHost()
  const { basis } = await preview()
  await outOfDateHost()
  expect((await ada(regenerateFiles, { body: { ...all, basis } })).status).toBe(409)
})

test('a license server that another plan changes is named', async () => {
  const host = await outOfDateHost()
  const first = await ada(regenerateFiles, { body: all })
  const second = await ada(regenerateFiles, { body: all })
  expect(second.body.code).toBe('HOST_BUSY')
  expect(second.body.err).toContain('is being changed right now')
  await carryOut(at.portal, FIRST, first)
  expect(await stateIn(ada, FIRST, host)).toMatchObject({ isOutOfDate: false })
})

test('somebody with view access is refused', async () => {
  await outOfDateHost()
  const vic = await at.portal.as(VIC)
  const answer = await vic(regenerateFiles, { body: all })
  expect(answer.status).toBe(403)
  expect(answer.body.err).toBe(NOT_ENOUGH_PERMISSIONS)
})
