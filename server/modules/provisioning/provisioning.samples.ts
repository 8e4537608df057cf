import type { OperationName } from '#contract/operations.ts'
import { VIEWER } from '#domain/access/roles.ts'
import { PROVISIONING_SCOPE } from '#domain/tokens/token-areas.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { granters } from '#server/testing/samples/rules.ts'
import { alike, list, missing, on, type Samples, sampled } from '#server/testing/samples/sample.ts'
import { about, FIRST, type Walk } from '#server/testing/samples/walk.ts'

/** No person may, and no token with other scopes: only tokens for provisioning, which the tests of SCIM have. */
const nobody = () => false
const ofAccount = (body?: object) =>
  sampled(nobody, (customerNumber) => ({ params: { customerNumber }, ...(body ? { body } : {}) }))
const ofResource = (body?: object) =>
  sampled(nobody, (customerNumber) => ({ params: { customerNumber, id: NO_ID }, ...(body ? { body } : {}) }))

const USER = { userName: 'scim.matrix@aerodyne.example' }
const GROUP = { displayName: 'Matrix' }
const NOTHING = { role: null, webGroupId: null }
const PATCH = { Operations: [{ op: 'replace', path: 'displayName', value: 'Matrix' }] }

export const provisioningSamples: Samples = {
  rows: {
    ...alike(ofAccount(), 'scim/config', 'scim/resource-types', 'scim/schemas', 'scim/users', 'scim/groups'),
    ...alike(ofResource(), 'scim/resource-types/one', 'scim/schemas/one', 'scim/users/one', 'scim/groups/one'),
    ...alike(ofResource(), 'scim/users/delete', 'scim/groups/delete'),
    'scim/users/create': ofAccount(USER),
    'scim/users/replace': ofResource(USER),
    'scim/groups/create': ofAccount(GROUP),
    'scim/groups/replace': ofResource(GROUP),
    ...alike(ofResource(PATCH), 'scim/users/patch', 'scim/groups/patch'),
    provisioning: on(granters),
    ...list(on(granters), 'provisioning/people', 'provisioning/groups', 'provisioning/calls'),
    'provisioning/mapping/preview': missing(granters, { groupId: NO_ID, target: NOTHING }),
    'provisioning/mapping': missing(granters, { groupId: NO_ID, target: NOTHING, oldTarget: NOTHING }),
    ...alike(missing(granters, { id: 1 }), 'provisioning/call', 'provisioning/replay'),
  },
  walk: reportPeople,
}

/** A provider reports a person and a group, changes them, and removes them. */
async function reportPeople({ portal, ask, call }: Walk): Promise<void> {
  const { headers } = await giveApiToken(portal, { scopes: [PROVISIONING_SCOPE] })
  const params = { customerNumber: FIRST }
  const send = async (name: OperationName, id?: string, body?: object) => {
    const parts = { headers, params: id === undefined ? params : { ...params, id } }
    const answer = await call(name, body ? { ...parts, body } : parts)
    return String(answer.body.id ?? NO_ID)
  }
  await send('scim/config')
  await send('scim/resource-types')
  await send('scim/resource-types/one', 'User')
  await send('scim/schemas')
  await send('scim/schemas/one', 'urn:ietf:params:scim:schemas:core:2.0:User')
  const user = await send('scim/users/create', undefined, { userName: 'walk@aerodyne.example', displayName: 'Walter' })
  const group = await send('scim/groups/create', undefined, { displayName: 'Walk', members: [{ value: user }] })
  await send('scim/users/replace', user, { userName: 'walk@aerodyne.example', displayName: 'Walt' })
  await send('scim/users/patch', user, PATCH)
  await send('scim/users')
  await send('scim/users/one', user)
  await send('scim/groups/replace', group, { displayName: 'Walkers', members: [{ value: user }] })
  await send('scim/groups/patch', group, PATCH)
  await send('scim/groups')
  await send('scim/groups/one', group)
  const role = { role: VIEWER, webGroupId: null }
  await call('provisioning/mapping/preview', { body: { ...about, groupId: group, target: role } })
  await call('provisioning/mapping', { body: { ...about, groupId: group, target: role, oldTarget: NOTHING } })
  await call('provisioning/mapping', { body: { ...about, groupId: group, target: NOTHING, oldTarget: role } })
  for (const name of ['provisioning', 'provisioning/people', 'provisioning/groups'] as const)
    await call(name, { body: about })
  await send('scim/groups/delete', group)
  await send('scim/groups/delete', group)
  const failed = await ask('provisioning/calls', { body: { ...about, limit: 1 } })
  await call('provisioning/call', { body: { ...about, id: Number(failed) } })
  await call('provisioning/replay', { body: { ...about, id: Number(failed) } })
  await send('scim/users/delete', user)
}
