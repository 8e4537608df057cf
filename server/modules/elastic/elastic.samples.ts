import { activationId } from '#server/demo/entitlement-row.ts'
import { demoPin } from '#server/demo/parts/elastic-credentials.demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { BEFORE_USAGE, CONTACTS, NO_ID } from '#server/testing/samples/given.ts'
import { anyStaff, everyone, notShutOut, type Rule, writers } from '#server/testing/samples/rules.ts'
import { alike, list, missing, on, type Row, type Samples, sampled, service } from '#server/testing/samples/sample.ts'
import { about, FIRST, type Walk } from '#server/testing/samples/walk.ts'

const noSession = service('sessions', (customerNumber) => ({ params: { sessionId: `${customerNumber}.${NO_ID}` } }), {
  finds: false,
})
/** Of the accounts in the matrix, these have an elastic license server. */
const WITH_ELASTIC = { finds: ['100001', '100008'] }
const onElastic = (may: Rule, more: (serverId: string) => object = () => ({})): Row =>
  on(may, (number) => ({ clsId: elasticServerId(number), ...more(elasticServerId(number)) }), WITH_ELASTIC)
/** Nothing to state, which is a business refusal: nothing is frozen and nobody gets an email. */
const statementEmail: Row = {
  kind: { on: 'account', may: everyone, ...WITH_ELASTIC },
  sample: (customerNumber) => ({
    body: {
      customerid: customerNumber,
      server: elasticServerId(customerNumber),
      activationid: activationId({ customerNumber, purpose: 'elastic, of last year' }),
      date: '2000-02-01T12:00:00Z',
    },
  }),
}
/** Whoever may schedule statements mails files to contacts. The contact of 100008 mails them to himself. */
const mailsFiles: Rule = (person, account) => writers(person, account) || person === 'hal'
const emailTo = (more: object): Row =>
  on(mailsFiles, (number) => ({ ...more, recipients: [CONTACTS[number]?.[0]?.email ?? 'nobody@example.com'] }))
const NO_USAGE = { filter: { condition: 'ALL', criteria: [{ name: 'Product', method: 'EQUALS', value: 'no such' }] } }
/** Sales access does not include the PIN. */
const pinReaders: Rule = (person, account) => person !== 'saul' && notShutOut(person, account)

export const elasticSamples: Samples = {
  rows: {
    ...alike(on(everyone), 'getEntitlements', 'getEntitlements/forecast', 'getEntitlements/forecast/export'),
    'getEntitlements/forecast/pdf': on(everyone),
    'getEntitlements/forecast/email': emailTo({}),
    'getEntitlements/draw': on(everyone, { activationId: ['any'] }),
    'getEntitlements/export': on(everyone, { active: true }),
    ...alike(on(everyone, BEFORE_USAGE), 'statements', 'getPdf'),
    'statements/export': on(everyone, { ...BEFORE_USAGE, table: 'orders' }),
    'statements/email': emailTo(BEFORE_USAGE),
    ...alike(on(everyone, { ...BEFORE_USAGE, by: 'host' }), 'statements/chargeback', 'statements/chargeback/export'),
    'statements/chargeback/pdf': on(everyone, { ...BEFORE_USAGE, by: 'host' }),
    'statements/chargeback/email': emailTo({ ...BEFORE_USAGE, by: 'host' }),
    ...alike(statementEmail, 'emailweek', 'emailmonth'),
    ...list(on(everyone), 'statements/mailed'),
    'statements/mailed/export': on(everyone),
    'statements/mailed/file': missing(everyone, { id: NO_ID }),
    'statements/schedule': on(notShutOut),
    'statements/schedule/save': on(writers, { schedule: { weekly: false, monthly: false, recipients: [] } }),
    lastupdatedon: sampled(everyone, (customerNumber) => ({ query: { customerNumber } })),
    ...alike(on(everyone), 'devices/elastic', 'activatedelasticservers'),
    ...alike(onElastic(pinReaders), 'getpin', 'getUsers'),
    changepin: onElastic(writers, (serverId) => ({ pin: demoPin(serverId) })),
    saveUsers: onElastic(writers, () => ({ users: [] })),
    getips: onElastic(notShutOut),
    setips: onElastic(writers, () => ({ whitelist: [] })),
    ...alike(on(everyone), 'fetchUsage', 'fetchUsage/count', 'fetchUsage/sum'),
    ...alike(on(everyone), 'fetchUsage/export', 'fetchUsage/exports/start'),
    'fetchUsage/distinct': on(everyone, { key: 'Currency' }),
    'fetchUsage/pdf': on(everyone, NO_USAGE),
    'fetchUsage/email': emailTo(NO_USAGE),
    'service/elastic/sessions': service('sessions', (customerNumber) => ({
      body: {
        serverId: elasticServerId(customerNumber),
        pin: 'not the PIN',
        username: 'anna',
        host: 'ws1',
        product: 'Fluid Flow Pro',
        count: 1,
        externalIp: '203.0.113.7',
      },
    })),
    ...alike(noSession, 'service/elastic/sessions/heartbeat', 'service/elastic/sessions/end'),
    'service/usage': service('usage', (customerNumber) => ({
      body: {
        transactions: [
          {
            id: 'access-matrix',
            serverId: elasticServerId(customerNumber),
            product: 'no such product',
            productCount: 1,
            username: 'anna',
            host: 'ws1',
            startTime: '2026-01-01T00:00:00.000Z',
            endTime: '2026-01-01T00:00:00.000Z',
          },
        ],
      },
    })),
    ...alike(on(notShutOut), 'limits', 'limits/export'),
    'limits/save': on(writers, { limits: [], productRules: [] }),
    'limits/replay': on(notShutOut, { limits: [], productRules: [] }),
    ...list(on(everyone), 'elastic/denials'),
    ...alike(on(everyone), 'elastic/denials/export', 'elastic/pinlocks'),
    'elastic/unlockpin': on(
      anyStaff,
      (number) => ({ serverId: elasticServerId(number), externalIp: '203.0.113.7' }),
      WITH_ELASTIC,
    ),
  },
  async walk(walk) {
    await meter(walk)
    await sendStatements(walk)
    await changeCredentials(walk)
    await limitUse(walk)
    await exportUsage(walk)
  },
}

async function meter({ ask, call, now }: Walk): Promise<void> {
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
}

/** Statements and other files of the last month, and what is mailed of them. */
async function sendStatements({ ask, call, now, lastMonth }: Walk): Promise<void> {
  for (const name of ['statements', 'getPdf'] as const) await call(name, { body: lastMonth })
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
  const mailed = {
    customerid: FIRST,
    server: elasticServerId(FIRST),
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

/** Changes settings for real: the samples save what is there already. */
async function changeCredentials({ call }: Walk): Promise<void> {
  const server = { ...about, clsId: elasticServerId(FIRST) }
  await call('changepin', { body: { ...server, pin: '271828' } })
  await call('saveUsers', { body: { ...server, users: ['anna'] } })
  await call('elastic/unlockpin', { body: { ...about, serverId: server.clsId, externalIp: '203.0.113.8' } })
  const recipients = ['ada.admin@aerodyne.example']
  await call('statements/schedule/save', {
    body: { ...about, schedule: { weekly: true, monthly: false, recipients } },
  })
}

async function limitUse({ call }: Walk): Promise<void> {
  const names = { user: null, project: 'Wing 42', product: null }
  const terms = { period: 'all', currency: 'AEU', warnAt: null, refuseAt: '0.01', from: null, to: null }
  const limits = [{ id: 'every-operation', subject: 'user+project', ...names, ...terms }]
  const productRules = [{ user: 'eve', kind: 'deny', products: ['Fluid Flow Pro'] }]
  await call('limits/replay', { body: { ...about, limits, productRules } })
  await call('limits/save', { body: { ...about, limits, productRules } })
  const serverId = elasticServerId(FIRST)
  const start = { serverId, pin: demoPin(serverId), product: 'Fluid Flow Pro', host: 'ws1', count: 1 }
  const use = { ...start, username: 'anna', project: 'Wing 42', externalIp: '203.0.113.7' }
  await call('service/elastic/sessions', { body: use })
  for (const name of ['limits', 'limits/export'] as const) await call(name, { body: about })
  await call('limits/save', { body: { ...about, limits: [], productRules: [] } })
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
