import { BEFORE_USAGE, NO_ID } from '#server/testing/samples/given.ts'
import { everyone, writers } from '#server/testing/samples/rules.ts'
import { alike, list, missing, on, type Samples, service } from '#server/testing/samples/sample.ts'
import { about, seats, type Walk } from '#server/testing/samples/walk.ts'

const noCheckout = service('web', (customerNumber) => ({ params: { checkoutId: `${customerNumber}.${NO_ID}` } }), {
  finds: false,
})
/** Refused line by line: there is nobody whom the matrix could assign. */
const NO_WEB_USER = { activationIds: ['no-such-entitlement'], emails: ['no.such@user.example'] }

export const webLicensesSamples: Samples = {
  rows: {
    ...list(on(everyone), 'web/entitlements', 'web/seats', 'web/users', 'web/groups', 'web/members'),
    ...list(on(everyone), 'web/groupassignments', 'web/checkouts', 'web/denials'),
    ...alike(on(everyone), 'web/checkouts/sum', 'web/checkouts/export', 'web/denials/export'),
    ...alike(on(writers, NO_WEB_USER), 'web/assign', 'web/unassign'),
    'web/groups/create': on(writers, { name: '' }),
    'web/groups/rename': missing(writers, { groupId: NO_ID, name: 'Matrix' }),
    'web/groups/delete': missing(writers, { groupId: NO_ID }),
    'web/groups/members': missing(writers, { groupId: NO_ID, add: ['no.such@user.example'] }),
    'web/users/save': on(writers, { users: [{ email: 'not an email' }] }),
    'web/users/delete': on(writers, { emails: ['no.such@user.example'] }),
    'web/report/export': on(everyone, { from: '2000-01-01', to: '2000-01-02', table: 'products' }),
    ...alike(on(everyone, BEFORE_USAGE), 'web/report', 'web/report/pdf'),
    'service/web/checkouts': service('web', (customerNumber) => ({
      body: { customerNumber, product: 'no such product', username: 'ann@user.example', host: 'ws1' },
    })),
    ...alike(noCheckout, 'service/web/checkouts/heartbeat', 'service/web/checkouts/checkin'),
  },
  walk: assign,
}

async function assign({ ask, call, lastMonth }: Walk): Promise<void> {
  const email = 'every.operation@aerodyne.example'
  const assigned = { ...about, activationIds: [seats('web')], emails: [email] }
  const user = { email, name: 'Every Operation', entitlements: [seats('web')] }
  await call('web/users/save', { body: { ...about, users: [user] } })
  const groupId = await ask('web/groups/create', { body: { ...about, name: 'Everything' } }, 'groupId')
  await call('web/groups/rename', { body: { ...about, groupId, name: 'Every operation' } })
  await call('web/groups/members', { body: { ...about, groupId, add: [email] } })
  await call('web/assign', { body: { ...assigned, groupIds: [groupId] } })
  const use = { ...about, product: 'Optical Ray Studio', username: email, host: 'ws1' }
  const checkoutId = await ask('service/web/checkouts', { body: use }, 'checkoutId')
  await call('service/web/checkouts/heartbeat', { params: { checkoutId } })
  await call('service/web/checkouts/checkin', { params: { checkoutId } })
  await call('web/unassign', { body: assigned })
  await call('web/groups/delete', { body: { ...about, groupId } })
  await call('web/users/delete', { body: { ...about, emails: [email] } })
  for (const name of ['web/report', 'web/report/pdf'] as const) await call(name, { body: lastMonth })
  await call('web/report/export', { body: { ...lastMonth, table: 'users' } })
}
