import { expect, test } from 'vitest'
import { downloadLicense, generateLicense } from '#contract/activations/license-files/license-files.ts'
import { getPlanFiles } from '#contract/activations/plans/host-plans.ts'
import { deactivateServer, rehostServer } from '#contract/activations/plans/start-plans.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { VIC } from '#server/testing/activations.ts'
import { carryOut, newHost, planOf } from '#server/testing/host-plans.ts'
import { DENIED, FIRST, planPortal, SECOND } from '#server/testing/plan-portal.ts'
import { readZip } from '#server/testing/zip.ts'

const at = planPortal()
const { ada, about, activeHost, sharedHost, unmaintained } = at

/** A rehost that leaves a product on its source, so that both hosts get a file. */
async function rehosted() {
  const { host, id, other } = await sharedHost()
  const stays = await unmaintained(host)
  await ada(generateLicense, { body: { customerNumber: FIRST, ...host } })
  const target = newHost('lic-target')
  const kept = [{ customerNumber: FIRST, id: stays }]
  const answer = await ada(rehostServer, { body: { ...about(host), target, kept } })
  return { host, target, id, other, stays, answer, plan: { customerNumber: FIRST, id: planOf(answer).id } }
}

const fileName = ({ serverId }: HostIdentity) => `license_${FIRST}_${serverId}_shared.lic`

test('the zip file has the license file of every license server of the plan, shared ones once', async () => {
  const { host, target, answer, plan } = await rehosted()
  expect((await ada(getPlanFiles, { body: plan })).body).toMatchObject({ status: 'FAILURE', code: 'NO_LICENSE_FILE' })
  await carryOut(at.portal, FIRST, answer)
  const { body, headers } = await ada(getPlanFiles, { body: plan })
  expect(headers['content-type']).toBe('application/zip')
  expect(headers['content-disposition']).toContain(`licenses_${FIRST}.zip`)
  const files = readZip(body.bytes as Buffer)
  const last = async (one: HostIdentity) =>
    (await ada(downloadLicense, { body: { customerNumber: FIRST, ...one } })).body.licenseText
  expect(files).toEqual({ [fileName(target)]: await last(target), [fileName(host)]: await last(host) })
  const audited = await at.findAudit('fulfillments/plan/files', `licenses_${FIRST}.zip`)
  expect(audited).toMatchObject([{ after: { id: plan.id, files: [fileName(target), fileName(host)] } }])
})

test('a person who does not see every customer of a shared file gets the licenses of the own account', async () => {
  const { id, other, answer, plan } = await rehosted()
  await carryOut(at.portal, FIRST, answer)
  const vic = await at.portal.as(VIC)
  const { body } = await vic(getPlanFiles, { body: plan })
  const text = Object.values(readZip(body.bytes as Buffer)).join('')
  expect(text).toContain(id)
  expect(text).not.toContain(other)
})

test('a plan that generates no file is refused', async () => {
  const { host } = await activeHost()
  const answer = await ada(deactivateServer, { body: about(host) })
  await carryOut(at.portal, FIRST, answer)
  const { body } = await ada(getPlanFiles, { body: { customerNumber: FIRST, id: planOf(answer).id } })
  expect(body).toMatchObject({ status: 'FAILURE', code: 'NO_LICENSE_FILE' })
})

test('only those who may read the activations of the account get the files of its plans', async () => {
  const { answer, plan } = await rehosted()
  await carryOut(at.portal, FIRST, answer)
  const status = async (email: string | null, change: object = {}) =>
    (await (await at.portal.as(email))(getPlanFiles, { body: { ...plan, ...change } })).status
  expect(await status(VIC)).toBe(200)
  expect(await status(VIC, { id: 'x' })).toBe(400)
  expect(await status(null)).toBe(401)
  expect(await status('ella.export@restricted.example', { customerNumber: DENIED })).toBe(403)
  expect(await status('nina.nimbus@nimbus.example')).toBe(404)
  expect((await ada(getPlanFiles, { body: { ...plan, customerNumber: SECOND } })).status).toBe(404)
})
