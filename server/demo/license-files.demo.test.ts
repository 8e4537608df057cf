import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadLicense } from '#contract/activations/license-files.ts'
import { listServers, type Server } from '#contract/activations/servers.ts'
import { DONGLE, MAIN_HOST, TRACK, TRIAD, WORKSTATION } from '#server/demo/fulfillments-hosts.ts'
import { ADA, type Call } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
let portal: Portal
let ada: Call
let servers: Map<string, Server>
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  const { body } = await ada(listServers, { body: { customerNumber } })
  servers = new Map((body.data as Server[]).map((server) => [server.id, server]))
})
afterAll(() => portal.close())

test('Aerodyne has hosts in every state, the active ones first', () => {
  const states = [...servers.values()].map(({ state }) => state)
  expect(new Set(states)).toEqual(new Set(['Active', 'Inactive', 'Unknown']))
  expect(states).toEqual([...states].sort())
})

test.each([
  ['seats came after its file', MAIN_HOST, true],
  ['a lease in its file has expired', DONGLE, true],
  ['it never had one', WORKSTATION, false],
])('a host is out of date because %s', (_, { id }, hasFile) => {
  expect(servers.get(id)).toMatchObject({ isOutOfDate: true, generatedBy: hasFile ? ADA : null })
})

test.each([
  ['a triad', TRIAD, `license_100001_${TRIAD.id.replaceAll(',', '-')}.lic`],
  ['a shared server', TRACK, `license_100001_${TRACK.id}_shared.lic`],
])('the license file of %s can be downloaded', async (_, { name, id, type }, fileName) => {
  const body = { customerNumber, serverName: name, serverId: id, serverIdType: type }
  const answer = await ada(downloadLicense, { body })
  expect(answer.body).toMatchObject({ status: 'SUCCESS', licenseFileName: fileName })
  expect(answer.body.licenseText).toContain('SIGN="')
})
