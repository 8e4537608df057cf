import type { OperationName } from '#contract/operations.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { hostOf } from '#server/testing/activations.ts'
import { firstHostOf, LICENSE_FILE, NO_ID } from '#server/testing/samples/given.ts'
import { onlyOlivia, selfServed, writers } from '#server/testing/samples/rules.ts'
import { list, missing, on, type Samples, signedIn } from '#server/testing/samples/sample.ts'
import { about, FIRST, SECOND, seats, type Walk } from '#server/testing/samples/walk.ts'

const server = (customerNumber: string) => {
  const { name, id, type } = firstHostOf(customerNumber)
  return { serverName: name, serverId: id, serverIdType: type }
}
const sharedServer = (customerNumber: string) => {
  const { id, type } = firstHostOf(customerNumber)
  return { hostId: id, hostIdType: type }
}
const ACTIVE = { state: 'Active' }
/** A host that no account has: callers with the right get 404, and nothing changes. */
const UNKNOWN_HOST = { hostId: '00000000fffe', hostIdType: 'ETHERNET' }
const NEW_SERVER = { serverName: 'lic-matrix', serverId: '00000000ffff', serverIdType: 'ETHERNET' }

const HOST = { serverName: 'lic-every-01', serverId: '02e0e0e0e001', serverIdType: 'ETHERNET' }
const TARGET = { serverName: 'lic-every-02', serverId: '02e0e0e0e002', serverIdType: 'ETHERNET' }
const SAVED = { serverName: 'lic-every-03', serverId: '02e0e0e0e003', serverIdType: 'ETHERNET' }

export const activationsSamples: Samples = {
  rows: {
    'fulfillments/hosts': on(selfServed, (customerNumber) => ({
      activationId: activationId({ customerNumber, purpose: 'lease 1' }),
    })),
    uploadserverid: on(writers, { file: LICENSE_FILE }),
    'fulfillments/servers': on(selfServed),
    'fulfillments/server': on(selfServed, (number) => ({ serverId: firstHostOf(number).id })),
    'fulfillments/entitlements': on(selfServed, (number) => ({ serverId: firstHostOf(number).id, activeOnly: true })),
    'fulfillments/allentitlements': on(selfServed),
    'fulfillments/create': on(writers, (number) => ({
      ...server(number),
      activations: [{ id: 'no-such-activation', count: 1 }],
    })),
    'fulfillments/return': on(writers, { activations: [{ id: 'no-such-fulfillment', count: -1 }] }),
    'fulfillments/customers': on(selfServed, sharedServer),
    'fulfillments/override': on(writers, sharedServer),
    sharedserver: on(writers, (number) => ({ ...sharedServer(number), group: [number] })),
    'sharedserver/deactivate': on(writers, sharedServer),
    'sharedserver/remove': missing(writers, UNKNOWN_HOST),
    'fulfillments/plans/preview': missing(writers, { ...UNKNOWN_HOST, action: 'DEACTIVATE' }),
    'fulfillments/plan': missing(selfServed, { id: NO_ID }),
    'fulfillments/plan/files': missing(selfServed, { id: NO_ID }),
    'fulfillments/plans': on(selfServed),
    'fulfillments/rehost': missing(writers, { ...UNKNOWN_HOST, target: NEW_SERVER }),
    'fulfillments/deactivate': missing(writers, UNKNOWN_HOST),
    'fulfillments/forcereturn': missing(onlyOlivia, { ...UNKNOWN_HOST, reason: 'Stolen' }),
    'fulfillments/save': {
      kind: { on: 'accounts', may: writers },
      sample: (...accounts) => {
        const wanted = [{ id: 'no-such-activation', seats: 1 }]
        return { body: { ...NEW_SERVER, customers: accounts.map((customerNumber) => ({ customerNumber, wanted })) } }
      },
    },
    'fulfillments/renew': missing(writers, UNKNOWN_HOST),
    'fulfillments/regenerate': on(writers),
    'fulfillments/license': on(writers, server),
    'fulfillments/download': on(selfServed, server),
    'fulfillments/email': on(writers, (number) => ({
      serverName: firstHostOf(number).name,
      serverId: firstHostOf(number).id,
    })),
    'fulfillments/files': on(selfServed, (number) => ({ serverId: firstHostOf(number).id })),
    'fulfillments/files/text': missing(selfServed, { id: NO_ID }),
    'fulfillments/files/difference': missing(selfServed, { before: NO_ID, after: NO_ID }),
    ...list(on(selfServed, ACTIVE), 'fulfillments/history/servers'),
    'fulfillments/history': on(selfServed, (number) => ({ hosts: [sharedServer(number)] })),
    'fulfillments/servers/export': on(selfServed, ACTIVE),
    'fulfillments/timeline': on(selfServed, sharedServer),
    'fulfillments/preview': {
      kind: { on: 'accounts', may: writers },
      sample: (...accounts) => ({
        body: { ...server('100001'), customers: accounts.map((customerNumber) => ({ customerNumber, wanted: [] })) },
      }),
    },
    'licenses/verify': signedIn({ body: { file: LICENSE_FILE } }),
  },
  async walk(walk) {
    await changeSeats(walk)
    await carryOutPlans(walk)
  },
}

async function changeSeats({ ask, call }: Walk): Promise<void> {
  const activate = (customerNumber: string, purpose: string) =>
    ask(
      'fulfillments/create',
      { body: { customerNumber, ...HOST, activations: [{ id: seats(purpose), count: 3 }] } },
      'FulfillmentID',
    )
  const [fulfillment] = [
    await activate(FIRST, 'first'),
    await activate(SECOND, 'second'),
    await activate(FIRST, 'ending'),
  ]
  await call('fulfillments/return', { body: { ...about, activations: [{ id: fulfillment, count: -1 }] } })
  await call('sharedserver', { body: { ...about, ...hostOf(HOST), group: [FIRST, SECOND] } })
  await call('fulfillments/customers', { body: { ...about, ...hostOf(HOST) } })
  await call('sharedserver/deactivate', { body: { ...about, ...hostOf(HOST) } })
  await call('sharedserver', { body: { ...about, ...hostOf(HOST), group: [FIRST, SECOND] } })
  const before = await ask('fulfillments/license', { body: { ...about, ...HOST } })
  await call('fulfillments/return', { body: { ...about, activations: [{ id: fulfillment, count: -1 }] } })
  const after = await ask('fulfillments/license', { body: { ...about, ...HOST } })
  await call('fulfillments/download', { body: { ...about, ...HOST } })
  await call('fulfillments/email', { body: { ...about, serverName: HOST.serverName, serverId: HOST.serverId } })
  await call('fulfillments/files', { body: { ...about, serverId: HOST.serverId } })
  await call('fulfillments/files/text', { body: { ...about, id: after } })
  await call('fulfillments/files/difference', { body: { ...about, before, after } })
}

async function carryOutPlans({ ask, call, wait }: Walk): Promise<void> {
  const carryOut = async (name: OperationName, body: object) => {
    const plan = { body: { ...about, id: await ask(name, { body }) } }
    await wait('fulfillments/plan', plan)
    await call('fulfillments/plan', plan)
    return plan
  }
  const [from, to] = [
    { ...about, ...hostOf(HOST) },
    { ...about, ...hostOf(TARGET) },
  ]
  const wanted = (purpose: string) => [{ id: seats(purpose), seats: 2 }]
  const customers = [
    { customerNumber: FIRST, wanted: wanted('first') },
    { customerNumber: SECOND, wanted: wanted('second') },
  ]
  await call('fulfillments/server', { body: { ...about, serverId: HOST.serverId } })
  await call('home/hide', { body: { ...about, key: 'FILES_OUT_OF_DATE' } })
  await call('fulfillments/plan/files', await carryOut('fulfillments/regenerate', about))
  await carryOut('fulfillments/renew', from)
  await call('fulfillments/plans/preview', { body: { ...from, action: 'REHOST', target: TARGET } })
  await carryOut('fulfillments/rehost', { ...from, target: TARGET })
  await call('fulfillments/history', { body: { ...about, hosts: [hostOf(HOST), hostOf(TARGET)] } })
  await carryOut('fulfillments/deactivate', to)
  await call('sharedserver/remove', { body: to })
  await call('fulfillments/preview', { body: { ...SAVED, customers } })
  await carryOut('fulfillments/save', { ...SAVED, customers, email: true })
  await call('fulfillments/servers', { body: about })
  await call('fulfillments/history/servers', { body: { ...about, state: 'Active' } })
  await carryOut('fulfillments/forcereturn', { ...about, ...hostOf(SAVED), reason: 'Stolen' })
}
