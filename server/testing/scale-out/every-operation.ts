import { RECORD_KINDS } from '#contract/data/kinds.ts'
import type { WireContract } from '#contract/fsa/contracts.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { OPERATIONS, type OperationName } from '#contract/operations.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { DEFAULT_RULES } from '#domain/requests/request.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { demoPin } from '#server/demo/parts/elastic-credentials.demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { productNamed } from '#server/demo/products.ts'
import { ROWS } from '#server/testing/access-rows.ts'
import { hostOf, OLIVIA, VIC } from '#server/testing/activations.ts'
import type { Answer, CallParts, Portal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'

const FIRST = '100001'
const SECOND = '100002'
const about = { customerNumber: FIRST }

/** What a call that failed would have answered. */
const NO_ID = '00000000-0000-4000-8000-000000000000'
const TIMEOUT = 10_000
/** Only people who may not do something themselves ask for it. */
const ASKING: readonly OperationName[] = ['requests/ask', 'requests/withdraw']

/** Makes one call. A test may look at what happens meanwhile. */
export type Around = (operation: Operation, make: () => Promise<Answer>) => Promise<Answer>

/**
 * Calls every operation, about two accounts of the demo data, so that it does what it is for: what a call needs is made by the
 * calls before it. Only calls are made, each a second after the other, so that the answers of two portals with the same data
 * can be compared. An operation that needs nothing gets the sample of its row in the access matrix.
 */
export async function callEveryOperation(portal: Portal, around: Around): Promise<void> {
  const walk = await startWalk(portal, around)
  await saveRecords(walk)
  await meter(walk)
  await changeSeats(walk)
  await carryOutPlans(walk)
  await order(walk)
  await assign(walk)
  await sendAndRemind(walk)
  await makeTokens(portal, walk)
  await viewAsContact(walk)
  await request(walk)
  await callWebhooks(walk)
  await planRenewal(walk)
  await nameViews(walk)
  await changeSettings(walk)
  await exportUsage(walk)
  await reportUse(walk)
  // Writes first: then there is something to read.
  for (const operation of OPERATIONS.toSorted((one, other) => Number(other.writes) - Number(one.writes)))
    if (!walk.called.has(operation.name))
      await walk.call(operation.name as OperationName, ROWS[operation.name]?.sample(FIRST) ?? {})
}

type Walk = Awaited<ReturnType<typeof startWalk>>

async function startWalk(portal: Portal, around: Around) {
  const { headers } = await giveServiceKey(portal, 'Every operation')
  const [olivia, vic, nobody] = [await portal.as(OLIVIA), await portal.as(VIC), await portal.as(null)]
  const called = new Set<string>()
  const call = (name: OperationName, parts: CallParts): Promise<Answer> => {
    const operation = OPERATIONS.find((one) => one.name === name)
    if (!operation) throw new Error(`there is no operation ${name}`)
    called.add(name)
    portal.clock.forward(1000)
    const person = ASKING.includes(name) ? vic : olivia
    return around(operation, () =>
      operation.access.kind === 'service' ? nobody(operation, { ...parts, headers }) : person(operation, parts),
    )
  }
  return {
    called,
    call,
    now: portal.clock.now(),
    today: dayIn('Europe/Berlin', portal.clock.now()),
    /** A field of what a call answers, of the first row if it answers several. */
    async ask(name: OperationName, parts: CallParts, field = 'id'): Promise<string> {
      const { data } = (await call(name, parts)).body
      const row = (Array.isArray(data) ? data[0] : data) as Record<string, unknown> | null | undefined
      return String(row?.[field] ?? NO_ID)
    },
    /** The operation says how far a job is. */
    async wait(name: OperationName, parts: CallParts): Promise<void> {
      const status = OPERATIONS.find((one) => one.name === name)!
      const isOver = async () => {
        const task = (await olivia(status, parts)).body.data as { state: string } | undefined
        return !task || !['waiting', 'running'].includes(task.state)
      }
      await until(isOver, `${name} never ends`, TIMEOUT).catch(() => undefined)
    },
  }
}

const seats = (purpose: string) => `every-operation-${purpose}`
const HOST = { serverName: 'lic-every-01', serverId: '02e0e0e0e001', serverIdType: 'ETHERNET' }
const TARGET = { serverName: 'lic-every-02', serverId: '02e0e0e0e002', serverIdType: 'ETHERNET' }
const SAVED = { serverName: 'lic-every-03', serverId: '02e0e0e0e003', serverIdType: 'ETHERNET' }

const UNUSED = {
  partNumber: 'EVR0010110',
  name: 'Every Operation',
  itemNumber: '1',
  daemon: 'ansyslmd',
  featureNames: ['every'],
}

/** Records of every kind, and what is activated and assigned later. All that can be deleted is deleted again. */
async function saveRecords({ call, today }: Walk): Promise<void> {
  const sold = (purpose: string, customerNumber: string, product: string, more: object = {}) => ({
    activationId: seats(purpose),
    customerNumber,
    partNumber: productNamed(product).partNumber,
    entitlementId: `ENT-${purpose}`,
    licenseModel: 'Network',
    quantity: 10,
    startDate: addDays(today, -300),
    endDate: addDays(today, 300),
    ...more,
  })
  const further: Record<string, readonly object[]> = {
    products: [UNUSED],
    entitlements: [
      sold('first', FIRST, 'Structural Mechanics Pro'),
      sold('second', SECOND, 'Structural Mechanics Pro'),
      sold('ending', FIRST, 'Fluid Meshing', { endDate: addDays(today, 30) }),
      sold('renewal', FIRST, 'Fluid Meshing'),
      sold('web', FIRST, 'Optical Ray Studio', { licenseModel: 'Named User' }),
    ],
  }
  for (const { name, example, keyOf } of RECORD_KINDS) {
    await call(`service/${name}`, { body: { records: [example, ...(further[name] ?? [])] } })
    await call(`service/${name}/get`, { params: { id: keyOf(example) } })
  }
  const removedSince = new Date().toISOString()
  for (const { name, example, keyOf, canBeRemoved } of RECORD_KINDS.toReversed()) {
    await call(`service/${name}/revoke`, { body: { ids: [name === 'products' ? UNUSED.partNumber : keyOf(example)] } })
    if (canBeRemoved) await call(`service/${name}/removed` as OperationName, { query: { removedSince } })
  }
}

async function meter({ ask, call, now, today }: Walk): Promise<void> {
  const serverId = elasticServerId(FIRST)
  const use = { serverId, product: 'Fluid Flow Pro', username: 'anna', host: 'ws1' }
  const start = { ...use, pin: demoPin(serverId), count: 1, externalIp: '203.0.113.7' }
  await call('service/elastic/sessions', { body: { ...start, pin: 'wrong', externalIp: '203.0.113.8' } })
  const sessionId = await ask('service/elastic/sessions', { body: start }, 'sessionId')
  await call('service/elastic/sessions/heartbeat', { params: { sessionId } })
  await call('service/elastic/sessions/end', { params: { sessionId } })
  const hour = (ago: number) => new Date(now.getTime() - ago * 3_600_000).toISOString()
  const sent = { ...use, productCount: 2, startTime: hour(3), endTime: hour(2) }
  const transactions = [
    { ...sent, id: 'every-operation-1' },
    { ...sent, id: 'every-operation-2', serverId: elasticServerId('100007') },
  ]
  await call('service/usage', { body: { transactions } })
  await call('lastupdatedon', { query: { customerNumber: FIRST } })
  await call('lastupdatedon', {})

  const month = startOfMonth(today)
  const lastMonth = { ...about, from: addMonths(month, -1), to: addDays(month, -1) }
  for (const name of ['statements', 'getPdf', 'optimization', 'optimization/export', 'optimization/pdf'] as const)
    await call(name, { body: lastMonth })
  const byHost = { ...lastMonth, by: 'host' }
  for (const name of ['statements/chargeback', 'statements/chargeback/export', 'statements/chargeback/pdf'] as const)
    await call(name, { body: byHost })
  await call('statements/export', { body: { ...lastMonth, table: 'orders' } })
  for (const name of ['getEntitlements/forecast/export', 'getEntitlements/forecast/pdf', 'fetchUsage/pdf'] as const)
    await call(name, { body: about })
  const recipients = ['ada.admin@aerodyne.example']
  await call('statements/email', { body: { ...lastMonth, recipients } })
  await call('statements/chargeback/email', { body: { ...byHost, recipients } })
  await call('getEntitlements/forecast/email', { body: { ...about, recipients } })
  await call('fetchUsage/email', { body: { ...about, recipients } })
  for (const name of ['web/report', 'web/report/pdf'] as const) await call(name, { body: lastMonth })
  await call('web/report/export', { body: { ...lastMonth, table: 'users' } })
  const mailed = {
    customerid: FIRST,
    server: serverId,
    activationid: activationId({ customerNumber: FIRST, purpose: 'elastic, partly used' }),
    date: now.toISOString(),
  }
  for (const name of ['emailweek', 'emailmonth'] as const) await call(name, { body: mailed })
  const id = await ask('statements/mailed', { body: about }, 'Id')
  await call('statements/mailed/file', { body: { ...about, id } })
  // Several were mailed at the same time, and their ids are random.
  const sorting = ['PeriodStartDate', 'Kind'].map((name) => ({ name, direction: 'asc' }))
  await call('statements/mailed/export', { body: { ...about, sorting } })
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

async function order({ ask, call, today }: Walk): Promise<void> {
  const answer = await call('fsa/contracts', { body: about })
  const tomorrow = addDays(today, 1)
  const contract = (answer.body.data as WireContract[] | undefined)?.find(
    (one) => one.fsaproducts.length > 0 && one.StartDate < tomorrow && Number(one.available) > 30_000,
  )
  const product = contract?.fsaproducts[0]
  const line = {
    ansysbpn: product?.ansysbpn ?? '',
    startdate: tomorrow,
    enddate: addDays(tomorrow, 29),
    ansysprice: product?.price30Days ?? '',
    ansyscurrency: contract?.['CA[ENT|ansyscurrency]'] ?? '',
  }
  const wanted = { ...about, fsaID: contract?.fsaID ?? 'none', products: [line] }
  const id = await ask('fsa/drafts/save', { body: { ...wanted, name: 'One' } })
  await call('fsa/drafts/save', { body: { ...wanted, name: 'Two' } })
  await call('fsa/drafts/quote', { body: { ...about, id } })
  await call('fsa/drafts/quote/pdf', { body: { ...about, id } })
  await call('fsa/drafts/delete', { body: { ...about, id } })
  await call('entitlements', { body: { ansyshasfsa: true, ...wanted } })
}

async function assign({ ask, call }: Walk): Promise<void> {
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
}

async function planRenewal({ ask, call, now, today }: Walk): Promise<void> {
  const measured = { ...about, from: dayIn('UTC', new Date(now.getTime() - 30 * 86_400_000)), to: today }
  const product = await ask('planner', { body: measured }, 'products')
  const lines = [{ product: 'Structural Mechanics Pro', seats: 2 }]
  await call('planner/what-if', { body: { ...measured, product: lines[0]?.product, seats: [1, 2] } })
  const id = await ask('planner/plans/save', { body: { ...measured, name: 'Every operation', lines } })
  const plan = { body: { ...about, id } }
  for (const name of ['planner/plans', 'planner/plans/export', 'planner/plans/pdf'] as const)
    await call(name, name === 'planner/plans' ? { body: about } : plan)
  const { body } = await call('fsa/contracts', { body: about })
  const [contract] = body.data as WireContract[]
  await call('planner/plans/draft', { body: { ...about, id, fsaID: contract?.fsaID ?? product } })
  await call('planner/plans/remove', plan)
}

async function request({ ask, call }: Walk): Promise<void> {
  const user = (name: string) => `${name}@aerodyne.example`
  const wanted = { ...about, kind: 'web-license', item: seats('web'), quantity: 1, reason: '' }
  const approved = await ask('requests/ask', { body: { ...wanted, target: user('approved') } })
  await call('requests/approve', { body: { ...about, id: approved, revision: 1 } })
  const declined = await ask('requests/ask', { body: { ...wanted, target: user('declined') } })
  await call('requests/decline', { body: { ...about, id: declined, revision: 1, reason: 'No' } })
  const withdrawn = await ask('requests/ask', { body: { ...wanted, target: user('withdrawn') } })
  await call('requests/withdraw', { body: { ...about, id: withdrawn } })
  await call('web/users/save', { body: { ...about, users: [{ email: OLIVIA }] } })
  const own = await ask('requests/own/ask', { body: { ...about, activationId: seats('web'), reason: '' } })
  await call('requests/own/withdraw', { body: { ...about, id: own } })
}

async function sendAndRemind({ call }: Walk): Promise<void> {
  await call('emails/resend', { params: { id: demoEmailId(FIRST, 4) }, body: about })
  await call('outbox/resend', { params: { id: demoEmailId(SECOND, 4) } })
  const { body } = await call('createcalendarfeed', { body: { ...about, name: 'Every operation' } })
  const feed = body.data as { feed: { id: string } } | undefined
  await call('revokecalendarfeed', { body: { ...about, id: feed?.feed.id ?? NO_ID } })
}

/** Looks at the portal as a contact, and stops at once: meanwhile nothing can be changed. */
async function viewAsContact({ call }: Walk): Promise<void> {
  await call('viewas/start', { body: { ...about, email: 'vic.viewer@aerodyne.example' } })
  await call('viewas/stop', {})
}

/** Only a contact of the account can own a token, so Olivia is one meanwhile. */
async function makeTokens(portal: Portal, { ask, call }: Walk): Promise<void> {
  const contact = { customer_number: FIRST, email: OLIVIA, role: ADMINISTRATOR } as const
  await portal.db.insertInto('contact').values(contact).execute()
  const token = { name: 'Every operation', scopes: ['usage:read'], days: 30 }
  const first = await ask('tokens/create', { body: { ...about, ...token } })
  const second = await ask('tokens/roll', { body: { ...about, id: first, days: 30 } })
  await call('tokens/revoke', { body: { ...about, id: second } })
  await call('tokens/policy/save', {
    body: { ...about, policy: { longestDays: 90, isWriteAllowed: true }, revision: 0 },
  })
  await portal.db.deleteFrom('contact').where('customer_number', '=', FIRST).where('email', '=', OLIVIA).execute()
}

async function callWebhooks({ ask, call }: Walk): Promise<void> {
  const endpoint = { url: 'https://hooks.example.com/every-operation', events: ['contact.added'] }
  const id = await ask('webhooks/save', { body: { ...about, ...endpoint } })
  await call('webhooks/save', { body: { ...about, ...endpoint, id, description: 'Every operation' } })
  await call('webhooks/rotate', { body: { ...about, id } })
  const delivery = { ...about, endpointId: id, id: await ask('webhooks/test', { body: { ...about, id } }) }
  for (const name of ['webhooks', 'webhooks/deliveries'] as const) await call(name, { body: about })
  await call('webhooks/delivery', { body: delivery })
  await call('webhooks/resend', { body: delivery })
  const range = { from: '2020-01-01T00:00:00Z', to: '2090-01-01T00:00:00Z' }
  await call('webhooks/replay', { body: { ...about, id, ...range, withDelivered: true } })
  await call('webhooks/remove', { body: { ...about, id } })
}

/** Changes settings for real: samples of the access matrix save what is there already. */
async function changeSettings({ call }: Walk): Promise<void> {
  const server = { ...about, clsId: elasticServerId(FIRST) }
  await call('changepin', { body: { ...server, pin: '271828' } })
  await call('saveUsers', { body: { ...server, users: ['anna'] } })
  await call('elastic/unlockpin', { body: { ...about, serverId: server.clsId, externalIp: '203.0.113.8' } })
  const recipients = ['ada.admin@aerodyne.example']
  await call('statements/schedule/save', {
    body: { ...about, schedule: { weekly: true, monthly: false, recipients } },
  })
  const reminders = { ...NO_REMINDERS, recipients, leadDays: [60] }
  await call('setreminders', { body: { ...about, reminders, revision: 0 } })
  const rules = { ...DEFAULT_RULES, days: DEFAULT_RULES.days + 1 }
  await call('requests/rules/save', { body: { ...about, rules, revision: 0 } })
  const { data: contacts } = (await call('getportalaccess', { body: about })).body
  const added = { email: 'every.operation@aerodyne.example', role: VIEWER }
  await call('setportalaccess', {
    body: { ...about, oldContacts: contacts, newContacts: [...((contacts as object[] | undefined) ?? []), added] },
  })
  const { data: switches } = (await call('getaccountswitches', { body: about })).body
  await call('setaccountswitches', {
    body: { ...about, oldSwitches: switches, newSwitches: { ...(switches as object), salesAccess: [added.email] } },
  })
}

async function nameViews({ ask, call }: Walk): Promise<void> {
  const table = { ...about, tableName: 'emailList' }
  const id = await ask('tableviews/add', { body: { ...table, name: 'Every operation', view: {} } })
  await call('tableviews', { body: table })
  await call('tableviews/change', { body: { ...about, id, isShared: true } })
  await call('tableviews/remove', { body: { ...about, id } })
}

/** A license server reports a log in two parts, the second one first, a log of another file, and lmstat output. */
async function reportUse({ call, now, today }: Walk): Promise<void> {
  const server = { ...about, serverId: '3cecef4b7d10' }
  const [year, month, day] = today.split('-').map(Number)
  const date = `${month}/${day}/${year}`
  const denied = '(Licensed number of users already reached. (-4,342))'
  const text = `1:00:00 (lmgrd) TIMESTAMP ${date}\n1:00:01 (sim) OUT: "anshpc" ann@pc1  \n`
  const rest = `1:10:00 (sim) DENIED: "anshpc" bob@pc2  ${denied}\n1:10:05 (sim) OUT: "anshpc" bob@pc2  \n`
  const other = `2:00:00 (lmgrd) TIMESTAMP ${date}\n2:00:01 (sim) IN: "anshpc" ann@pc1  \n2:00:02 (sim) OUT: \n`
  const weekday = now.toUTCString().slice(0, 3)
  const status = `Flexible License Manager status on ${weekday} ${date} 2:10\nLicense server status: 1055@lic\nFeature usage info:\nUsers of anshpc:  (Total of 5 licenses issued;  Total of 1 license in use)\n  "anshpc" v1, vendor: sim\n    bob pc2 :0 (v1) (lic/1055 1), start ${weekday} ${month}/${day} 1:10\n`
  const observations = [
    { file: 'a', position: text.length, text: rest },
    { file: 'a', position: 0, text },
    { text: other },
    { text: status },
  ]
  await call('license-servers/observations', { body: { ...server, observations } })
  const silent = { ...about, serverId: '9-77e0d1f5' }
  await call('service/license-servers/observations', { body: { ...silent, observations: [{ text: status }] } })
  const upload = { ...about, uploadId: NO_ID }
  const bytes = Buffer.from(`${text}${rest}`)
  await call('license-use/uploads/part', { body: { ...upload, position: '0', file: bytes } })
  const start = { ...upload, serverId: '3cecef4b7d10', fileName: 'debug.log', size: bytes.length }
  await call('license-use/uploads/start', { body: start })
  const range = { ...server, from: today, to: today }
  for (const name of ['license-use', 'license-use/export', 'license-use/pdf'] as const)
    await call(name, { body: range })
  await call('license-use/feature', { body: { ...range, feature: 'anshpc' } })
  const query = { ...about, feature: 'anshpc' }
  await call('license-use/free', { query })
  await call('service/license-use/free', { query })
  await call('license-use/settings/save', {
    body: { ...about, settings: { hasPseudonyms: false, keptDays: 300 }, revision: 0 },
  })
}

async function exportUsage({ ask, call, wait }: Walk): Promise<void> {
  const report = {
    params: { id: await ask('fetchUsage/exports/start', { body: { ...about, format: 'pdf' } }) },
    query: about,
  }
  await wait('tasks/status', report)
  const task = { params: { id: await ask('fetchUsage/exports/start', { body: about }) }, query: about }
  await wait('tasks/status', task)
  for (const name of ['tasks/status', 'tasks/file', 'tasks', 'tasks/delete'] as const) await call(name, task)
}
