import { randomUUID } from 'node:crypto'
import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { ADMINISTRATOR, type ServiceScope, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { DEFAULT_RULES } from '#domain/requests/request.ts'
import { DEFAULT_POLICY } from '#domain/tokens/token-rules.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { DEMO_HOSTS } from '#server/demo/fulfillments-hosts.ts'
import { demoAlertId } from '#server/demo/parts/alerts.demo.ts'
import { demoPin } from '#server/demo/parts/elastic-credentials.demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { DEMO_REMINDERS } from '#server/demo/parts/reminders.demo.ts'
import type { CallParts } from '#server/testing/portal.ts'

/** The expected answers of every operation, written by hand from the table of rights, for the access matrix. */
const STAFF = ['olivia', 'sam', 'sara', 'adam']
export const SEES: Record<string, readonly string[]> = {
  '100001': [...STAFF, 'ada', 'cora', 'vic'],
  '100003': [...STAFF, 'greta', 'saul'],
  '100004': [...STAFF, 'ella'],
  '100008': [...STAFF, 'hal'],
  '999999': [],
}
export const EXPORT_DENIED = '100004'

/**
 * Whether a person passes the account's own rule (for an account that they see and that export compliance approves).
 */
type Rule = (person: string, account: string) => boolean
const everyone: Rule = () => true
/** 100008 has access disabled: that leaves business operations, support and sales, but not the staff role admin. */
const selfServed: Rule = (person, account) => account !== '100008' || ['olivia', 'sam', 'sara'].includes(person)

/** Where access is disabled, staff and FNP license generators only. */
const notShutOut: Rule = (person, account) => account !== '100008' || STAFF.includes(person)
const WRITERS: Record<string, readonly string[]> = {
  '100001': ['olivia', 'ada', 'cora'],
  '100003': ['olivia', 'greta'],
  '100008': ['olivia'],
}
const writers: Rule = (person, account) => WRITERS[account]?.includes(person) ?? false
/** FNP license generators may write, except for the list of contacts. */
const granters: Rule = (person, account) => person !== 'greta' && writers(person, account)
/** A token has the rights of its owner as a contact: staff roles are not enough. */
const administrators: Rule = (person, account) => person !== 'olivia' && granters(person, account)
/** Those who manage the account, and staff. */
const auditors: Rule = (person, account) =>
  STAFF.includes(person) || (granters(person, account) && notShutOut(person, account))
const onlyOlivia: Rule = (person) => person === 'olivia'

export type Kind =
  | 'public'
  | 'signed-in'
  /**
   * `finds: false`: the sample names something that does not exist; or a list of the accounts on which it exists:
   * others get 404.
   */
  | { on: 'account'; may: Rule; despiteExport?: true; finds?: false | readonly string[] }
  /** Names a list of accounts, each of which must allow the call. */
  | { on: 'accounts'; may: Rule }
  /** For service keys, with this scope if one is needed. */
  | { on: 'service'; scope?: ServiceScope; finds?: false }
  | { on: 'portal'; may: readonly string[]; finds?: false }
export type Row = {
  kind: Kind
  sample(customerNumber: string, ...more: string[]): CallParts
  /** A sample that does not name the account: it follows from another field. */
  unnamed?(customerNumber: string): CallParts
}

const NO_ID = '00000000-0000-4000-8000-000000000000'

const signedIn = (parts: CallParts = {}): Row => ({ kind: 'signed-in', sample: () => parts })

/** A call about an account. Its body names the account, and says what else is given. */
function on(
  may: Rule,
  more: object | ((customerNumber: string) => object) = {},
  rest: { despiteExport?: true; finds?: false | readonly string[] } = {},
): Row {
  const moreOf = typeof more === 'function' ? more : () => more
  const sample = (customerNumber: string) => ({ body: { customerNumber, ...moreOf(customerNumber) } })
  return { kind: { on: 'account', may, ...rest }, sample }
}

/** What the sample names does not exist. */
const missing = (may: Rule, more: object): Row => on(may, more, { finds: false })

/** A call about an account, which is not named in a body. */
const sampled = (may: Rule, sample: Row['sample'], rest: { despiteExport?: true; finds?: false } = {}): Row => ({
  kind: { on: 'account', may, ...rest },
  sample,
})

const service = (scope: ServiceScope | undefined, sample: Row['sample'], rest: { finds?: false } = {}): Row => ({
  kind: { on: 'service', ...(scope ? { scope } : {}), ...rest },
  sample,
})

/** Several calls with one row. */
const alike = (row: Row, ...names: readonly string[]): Record<string, Row> =>
  Object.fromEntries(names.map((name) => [name, row]))
/** What `declareList` makes of a list. */
const list = (row: Row, ...names: readonly string[]): Record<string, Row> =>
  alike(row, ...names.flatMap((name) => ['', '/count', '/distinct'].map((call) => name + call)))

const noTask = sampled(everyone, (customerNumber) => ({ params: { id: NO_ID }, query: { customerNumber } }), {
  finds: false,
})
const noSession = service('sessions', (customerNumber) => ({ params: { sessionId: `${customerNumber}.${NO_ID}` } }), {
  finds: false,
})
const noCheckout = service('web', (customerNumber) => ({ params: { checkoutId: `${customerNumber}.${NO_ID}` } }), {
  finds: false,
})
const ORDERED = { startdate: '2026-01-01', enddate: '2026-01-07', ansysprice: '665.00', ansyscurrency: 'USD' }
const NO_ORDER = { fsaID: 'no-such-contract', products: [{ ansysbpn: 'ANS0010110', ...ORDERED }] }

const NO_REQUEST = {
  kind: 'web-license',
  item: 'no-such-id',
  target: 'matrix@aerodyne.example',
  quantity: 1,
  reason: 'Matrix',
}

/** Nothing to state, which is a business refusal: a file for every caller would take long. */
const BEFORE_USAGE = { from: '2000-01-01', to: '2000-01-31' }
/** The time of the demo data. */
const LATELY = { from: addDays(dayIn('UTC', new Date()), -40), to: dayIn('UTC', new Date()) }

const email = (n: number) => (customerNumber: string) => ({
  params: { id: demoEmailId(customerNumber, n), position: '1' },
  query: { customerNumber },
})

/** The contacts in the demo data: a save that changes nothing is allowed for callers who may save. */
const CONTACTS: Record<string, { email: string; role: string }[]> = {
  '100001': [
    { email: 'ada.admin@aerodyne.example', role: ADMINISTRATOR },
    { email: 'cora.coordinator@aerodyne.example', role: SUPPORT_COORDINATOR },
    { email: 'paul.pending@aerodyne.example', role: VIEWER },
    { email: 'vic.viewer@aerodyne.example', role: VIEWER },
  ],
  '100003': [{ email: 'petra.principal@partner.example', role: ADMINISTRATOR }],
  '100008': [{ email: 'hal.heritage@heritage.example', role: ADMINISTRATOR }],
}
const loadSwitches = (customerNumber: string) => ({
  isAccessDisabled: customerNumber === '100008',
  salesAccess: customerNumber === '100003' ? ['saul.access@partner.example'] : [],
  fnpLicenseGenerators: customerNumber === '100003' ? ['greta.generator@partner.example'] : [],
})
const ALERT_DRAFT = {
  category: 'OK',
  date: '2030-01-01T00:00:00Z',
  expires: null,
  description: 'Written by the matrix',
  service: ['Licensing Portal'],
  links: [],
}
const authors = { on: 'portal', may: ['olivia', 'adam'] } as const

/** The first host of an account, in the format of the calls about activations and of those about shared servers. */
const hostOf = (customerNumber: string) =>
  DEMO_HOSTS[customerNumber]?.[0] ?? { name: 'h', id: '00000000000a', type: 'ETHERNET' }
const server = (customerNumber: string) => {
  const { name, id, type } = hostOf(customerNumber)
  return { serverName: name, serverId: id, serverIdType: type }
}
const sharedServer = (customerNumber: string) => {
  const { id, type } = hostOf(customerNumber)
  return { hostId: id, hostIdType: type }
}
const ACTIVE = { state: 'Active' }
const LICENSE_FILE = Buffer.from('SERVER lic-01 3cecef4b7d10 1055\nVENDOR ansyslmd\n')
/** A host that no account has: callers with the right get 404, and nothing changes. */
const UNKNOWN_HOST = { hostId: '00000000fffe', hostIdType: 'ETHERNET' }
const NEW_SERVER = { serverName: 'lic-matrix', serverId: '00000000ffff', serverIdType: 'ETHERNET' }

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
const anyStaff: Rule = (person) => STAFF.includes(person)

/** Refused line by line: there is nobody whom the matrix could assign. */
const NO_WEB_USER = { activationIds: ['no-such-entitlement'], emails: ['no.such@user.example'] }

/** Every kind has the same calls. The saves name no field, so that nothing is saved. */
function dataRows(): Record<string, Row> {
  const scopes: Record<RecordKindName, ServiceScope> = {
    products: 'catalog',
    'rate-tables': 'catalog',
    'price-lists': 'catalog',
    accounts: 'accounts',
    contacts: 'accounts',
    roles: 'roles',
    'elastic-servers': 'accounts',
    'fsa-contracts': 'entitlements',
    entitlements: 'entitlements',
    hosts: 'hosts',
  }
  const removable = new Set<string>(RECORD_KINDS.filter(({ canBeRemoved }) => canBeRemoved).map(({ name }) => name))
  const removedSinceNow = () => ({ query: { removedSince: new Date().toISOString() } })
  return Object.fromEntries(
    Object.entries(scopes).flatMap(([name, scope]): [string, Row][] => {
      const id = 'no-such-id'
      const rows: [string, Row][] = [
        [`service/${name}`, service(scope, () => ({ body: { records: [{}] } }))],
        [`service/${name}/list`, service(scope, () => ({ query: { limit: '1' } }))],
        [`service/${name}/get`, service(scope, () => ({ params: { id } }), { finds: false })],
        [`service/${name}/revoke`, service(scope, () => ({ body: { ids: [id] } }))],
        [`service/${name}/removed`, service(scope, removedSinceNow)],
      ]
      return removable.has(name) ? rows : rows.slice(0, -1)
    }),
  )
}

/** Somebody who may call an operation on 100001: business operations, or an administrator where staff roles are not enough. */
export const callerOf = ({ access }: Operation): string =>
  access.kind === 'account' && access.action === 'tokens.create'
    ? 'ada.admin@aerodyne.example'
    : 'olivia.ops@vendor.example'

export const ROWS: Record<string, Row> = {
  ...alike(signedIn(), 'getUserDetails', 'setup', 'notifications/active', 'getBuildInfo', 'getFeatures'),
  ...alike(signedIn(), 'getRecentAccounts', 'getPreferences'),
  ...alike(signedIn({ body: {} }), 'getaccounts', 'getaccounts/count'),
  'getaccounts/distinct': signedIn({
    body: { filter: { condition: 'ALL', criteria: [{ name: 'AccountID', method: 'STARTSWITH', value: '100' }] } },
  }),
  getCustomerAccounts: signedIn({ body: { limit: 2 } }),
  accounts: on(everyone, { limit: 2 }),
  getaccountinfo: sampled(everyone, (customerNumber) => ({ params: { customerNumber } }), { despiteExport: true }),
  home: on(everyone),
  'home/hide': missing(everyone, { key: 'no such matter' }),
  'home/show': on(everyone, () => ({ key: 'no such matter' })),
  'home/accounts': { kind: { on: 'portal', may: STAFF }, sample: () => ({}) },
  search: on(everyone, { text: 'aero' }),
  ...list(on(notShutOut), 'getemails'),
  getemail: on(notShutOut, (number) => ({ id: demoEmailId(number, 1) })),
  ...alike(sampled(notShutOut, email(1)), 'emails/body', 'emails/attachment'),
  'emails/resend': sampled(onlyOlivia, (customerNumber) => ({
    params: { id: demoEmailId(customerNumber, 1) },
    body: { customerNumber },
  })),
  'emails/delete': {
    ...sampled(writers, email(2)),
    unnamed: (customerNumber) => ({ params: { id: demoEmailId(customerNumber, 3) } }),
  },
  'notifications/stream': signedIn({ query: { wait: '0' } }),
  ...list(signedIn({ body: {} }), 'notifications'),
  'notifications/one': signedIn({ params: { id: demoAlertId(1) } }),
  'alerts/create': { kind: authors, sample: () => ({ body: ALERT_DRAFT }) },
  'alerts/edit': {
    kind: authors,
    sample: () => ({ params: { id: demoAlertId(2) }, body: { ...ALERT_DRAFT, revision: 1 } }),
  },
  'alerts/resolve': { kind: authors, sample: () => ({ params: { id: demoAlertId(3) }, body: { revision: 1 } }) },
  environment: { kind: 'public', sample: () => ({}) },
  setFeatures: signedIn({ body: { features: ['home'] } }),
  noteOpenedAccount: on(everyone),
  savePreferences: {
    kind: { on: 'accounts', may: everyone },
    sample: (...accounts) => ({
      body: { tables: accounts.map((customerNumber) => ({ customerNumber, tableName: 'emailList' })) },
    }),
  },
  tableviews: on(everyone, { tableName: 'emailList' }),
  'tableviews/add': on(everyone, () => ({ tableName: 'emailList', name: `Matrix ${randomUUID()}`, view: {} })),
  ...alike(missing(everyone, { id: NO_ID }), 'tableviews/change', 'tableviews/remove'),
  getportalaccess: on(notShutOut),
  setportalaccess: on(granters, (number) => ({
    newContacts: CONTACTS[number] ?? [],
    oldContacts: CONTACTS[number] ?? [],
  })),
  'viewas/start': missing(anyStaff, { email: 'no.such@contact.example' }),
  'viewas/stop': signedIn(),
  getaccountswitches: on(onlyOlivia),
  setaccountswitches: on(onlyOlivia, (number) => ({
    newSwitches: loadSwitches(number),
    oldSwitches: loadSwitches(number),
  })),
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
  ...alike(
    sampled(everyone, (customerNumber) => ({ query: { customerNumber } })),
    'lastupdatedon',
    'tasks',
  ),
  ...alike(on(everyone), 'devices/elastic', 'activatedelasticservers'),
  ...alike(onElastic(pinReaders), 'getpin', 'getUsers'),
  changepin: onElastic(writers, (serverId) => ({ pin: demoPin(serverId) })),
  saveUsers: onElastic(writers, () => ({ users: [] })),
  getips: onElastic(notShutOut),
  setips: onElastic(writers, () => ({ whitelist: [] })),
  getreminders: on(notShutOut),
  setreminders: on(writers, (number) => {
    const kept = number === '100001' ? DEMO_REMINDERS : NO_REMINDERS
    return { reminders: kept, revision: 0 }
  }),
  planner: on(selfServed, BEFORE_USAGE),
  'planner/what-if': on(selfServed, { ...BEFORE_USAGE, product: 'No such product', seats: [1] }, { finds: false }),
  'planner/plans': on(selfServed),
  'planner/plans/save': on(writers, { ...BEFORE_USAGE, name: 'Matrix', lines: [{ product: 'No product', seats: 1 }] }),
  'planner/plans/remove': missing(writers, { id: NO_ID }),
  ...alike(missing(selfServed, { id: NO_ID }), 'planner/plans/export', 'planner/plans/pdf'),
  'planner/plans/draft': missing(selfServed, { id: NO_ID, fsaID: 'no-such-contract' }),
  ...list(on(notShutOut), 'requests'),
  'requests/ask': on(notShutOut, NO_REQUEST),
  'requests/withdraw': missing(notShutOut, { id: NO_ID }),
  'requests/approve': missing(writers, { id: NO_ID, revision: 1 }),
  'requests/decline': missing(writers, { id: NO_ID, revision: 1, reason: 'Matrix' }),
  'requests/rules': on(notShutOut),
  'requests/rules/save': on(granters, { rules: DEFAULT_RULES, revision: 0 }),
  'requests/own': signedIn(),
  'requests/own/ask': signedIn({ body: { customerNumber: '100002', activationId: 'no-such-id', reason: '' } }),
  'requests/own/withdraw': signedIn({ body: { customerNumber: '100002', id: NO_ID } }),
  calendarfeeds: on(notShutOut),
  ...list(on(granters), 'tokens'),
  'tokens/create': on(administrators, { name: 'Matrix', scopes: ['usage:read'], days: 1 }),
  'tokens/roll': missing(administrators, { id: NO_ID, days: 1 }),
  'tokens/revoke': missing(granters, { id: NO_ID }),
  'tokens/policy': on(granters),
  'tokens/policy/save': on(granters, { policy: DEFAULT_POLICY, revision: 0 }),
  createcalendarfeed: on(writers, { name: 'Matrix' }),
  revokecalendarfeed: missing(writers, { id: NO_ID }),
  ...alike(on(granters), 'webhooks', 'webhooks/count', 'webhooks/deliveries', 'webhooks/deliveries/count'),
  'webhooks/deliveries/distinct': on(granters),
  'webhooks/save': on(granters, () => ({
    url: `https://hooks.example.com/${randomUUID()}`,
    events: ['seats.activated'],
  })),
  ...alike(missing(granters, { id: NO_ID }), 'webhooks/rotate', 'webhooks/remove', 'webhooks/test'),
  ...alike(missing(granters, { endpointId: NO_ID, id: NO_ID }), 'webhooks/delivery', 'webhooks/resend'),
  'webhooks/replay': missing(granters, { id: NO_ID, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
  ...alike(on(everyone), 'fetchUsage', 'fetchUsage/count', 'fetchUsage/sum'),
  ...alike(on(everyone), 'fetchUsage/export', 'fetchUsage/exports/start'),
  'fetchUsage/distinct': on(everyone, { key: 'Currency' }),
  'fetchUsage/pdf': on(everyone, NO_USAGE),
  'fetchUsage/email': emailTo(NO_USAGE),
  ...alike({ kind: authors, sample: () => ({ body: {} }) }, 'outbox/failed', 'outbox/failed/count'),
  'outbox/resend': { kind: { ...authors, finds: false }, sample: () => ({ params: { id: NO_ID } }) },
  upkeep: { kind: { on: 'portal', may: ['olivia', 'sam', 'adam'] }, sample: () => ({}) },
  ...alike(noTask, 'tasks/status', 'tasks/file', 'tasks/delete'),
  ...alike(on(selfServed), 'fetchEntitlements', 'fetchEntitlements/active', 'fetchEntitlements/inactive'),
  ...alike(on(selfServed), 'fetchEntitlements/count', 'fetchEntitlementsActive/count'),
  ...alike(on(selfServed), 'fetchEntitlementsInactive/count'),
  ...alike(on(selfServed), 'fetchEntitlements/active/export', 'fetchEntitlements/inactive/export'),
  'fetchEntitlements/distinct': on(selfServed, { key: 'LicenseModel' }),
  'fulfillments/count': on(selfServed, { activationId: ['any'] }),
  'fulfillments/hosts': on(selfServed, (customerNumber) => ({
    activationId: activationId({ customerNumber, purpose: 'lease 1' }),
  })),
  ...dataRows(),
  'service/whoami': service(undefined, () => ({})),
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
  ...list(on(auditors), 'audit'),
  ...alike(on(auditors), 'audit/export', 'audit/exports/start'),
  ...alike(
    sampled(auditors, (customerNumber) => ({ query: { customerNumber } })),
    'audit/lines',
    'audit/checkpoints',
  ),
  ...list(on(everyone), 'elastic/denials'),
  ...alike(on(everyone), 'elastic/denials/export', 'elastic/pinlocks'),
  'elastic/unlockpin': on(
    anyStaff,
    (number) => ({ serverId: elasticServerId(number), externalIp: '203.0.113.7' }),
    WITH_ELASTIC,
  ),
  uploadserverid: on(writers, { file: LICENSE_FILE }),
  'fulfillments/servers': on(selfServed),
  'fulfillments/server': on(selfServed, (number) => ({ serverId: hostOf(number).id })),
  'fulfillments/entitlements': on(selfServed, (number) => ({ serverId: hostOf(number).id, activeOnly: true })),
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
  'fulfillments/email': on(writers, (number) => ({ serverName: hostOf(number).name, serverId: hostOf(number).id })),
  'fulfillments/files': on(selfServed, (number) => ({ serverId: hostOf(number).id })),
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
  entitlements: missing(writers, { ansyshasfsa: true, ...NO_ORDER }),
  ...list(on(selfServed), 'fsa/contracts', 'fsa/entitlements', 'fsa/history'),
  ...alike(on(selfServed), 'fsa/history/export', 'fsa/drafts'),
  'fsa/drafts/save': missing(selfServed, { name: 'Draft', ...NO_ORDER }),
  ...alike(missing(selfServed, { id: NO_ID }), 'fsa/drafts/delete', 'fsa/drafts/quote', 'fsa/drafts/quote/pdf'),
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
  ...alike(on(selfServed, BEFORE_USAGE), 'license-use', 'license-use/export', 'license-use/pdf'),
  ...list(on(selfServed, LATELY), 'license-use/denials'),
  ...list(on(selfServed), 'license-use/logs'),
  'license-use/denials/export': on(selfServed, BEFORE_USAGE),
  'license-use/feature': on(selfServed, (number) => ({
    ...BEFORE_USAGE,
    serverId: hostOf(number).id,
    feature: 'anshpc',
  })),
  'license-use/free': {
    kind: { on: 'account', may: selfServed, finds: false },
    sample: (customerNumber) => ({ query: { customerNumber, feature: 'no-such-feature' } }),
  },
  'service/license-use/free': {
    ...service('license-use', (customerNumber) => ({ query: { customerNumber, feature: 'no-such-feature' } })),
    kind: { on: 'service', scope: 'license-use', finds: false },
  },
  'license-use/settings': on(selfServed),
  'license-use/settings/save': on(writers, { settings: { hasPseudonyms: false, keptDays: 400 }, revision: 0 }),
  'license-servers/observations': on(writers, (number) => ({
    serverId: hostOf(number).id,
    observations: [{ text: 'access matrix' }],
  })),
  'service/license-servers/observations': service('license-use', (customerNumber) => ({
    body: { customerNumber, serverId: hostOf(customerNumber).id, observations: [{ text: 'access matrix' }] },
  })),
  'license-use/uploads/part': on(writers, { uploadId: NO_ID, position: '0', file: LICENSE_FILE }),
  'license-use/uploads/start': missing(writers, {
    serverId: '00000000000b',
    uploadId: NO_ID,
    fileName: 'debug.log',
    size: 1,
  }),
  ...alike(on(everyone, BEFORE_USAGE), 'optimization', 'optimization/export', 'optimization/pdf'),
  'service/web/checkouts': service('web', (customerNumber) => ({
    body: { customerNumber, product: 'no such product', username: 'ann@user.example', host: 'ws1' },
  })),
  ...alike(noCheckout, 'service/web/checkouts/heartbeat', 'service/web/checkouts/checkin'),
  'licenses/verify': signedIn({ body: { file: LICENSE_FILE } }),
}

/**
 * The operations with their rows. One without a row is left out: a separate test reports it, and no other test fails.
 */
export const OPERATIONS_IN_ROWS: readonly { name: string; operation: Operation; row: Row }[] = OPERATIONS.flatMap(
  (operation) => {
    const row = ROWS[operation.name]
    return row ? [{ name: operation.name, operation, row }] : []
  },
)
