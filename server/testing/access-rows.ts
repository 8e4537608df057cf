import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { ADMINISTRATOR, type ServiceScope, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { DEMO_HOSTS } from '#server/demo/fulfillments-hosts.ts'
import { demoAlertId } from '#server/demo/parts/alerts.demo.ts'
import { demoPin } from '#server/demo/parts/elastic-credentials.demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { DEMO_REMINDERS } from '#server/demo/parts/reminders.demo.ts'
import type { CallParts } from '#server/testing/portal.ts'

/** Who is expected to get what from every operation: written by hand from the table of rights, for the access matrix. */
const STAFF = ['olivia', 'sam', 'sara', 'adam']
export const SEES: Record<string, readonly string[]> = {
  '100001': [...STAFF, 'ada', 'cora', 'vic'],
  '100003': [...STAFF, 'greta', 'saul'],
  '100004': [...STAFF, 'ella'],
  '100008': [...STAFF, 'hal'],
  '999999': [],
}
export const EXPORT_DENIED = '100004'

/** Who gets past the account's own rule (for an account that they see and that export compliance leaves open). */
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
/** FNP license generators write elsewhere, but not the list of those who may. */
const granters: Rule = (person, account) => person !== 'greta' && writers(person, account)
const onlyOlivia: Rule = (person) => person === 'olivia'

export type Kind =
  | 'public'
  | 'signed-in'
  /** `finds: false`: the sample names something that does not exist, or only on these accounts: others get 404. */
  | { on: 'account'; may: Rule; despiteExport?: true; finds?: false | readonly string[] }
  /** Names a list of accounts, each of which must allow the call. */
  | { on: 'accounts'; may: Rule }
  /** For service keys, with this scope if one is needed. */
  | { on: 'service'; scope?: ServiceScope; finds?: false }
  | { on: 'portal'; may: readonly string[]; finds?: false }
export type Row = {
  kind: Kind
  sample(customerNumber: string, ...more: string[]): CallParts
  /** A sample that does not name the account: it follows from what the call is about. */
  unnamed?(customerNumber: string): CallParts
}

const NO_ID = '00000000-0000-4000-8000-000000000000'
const noTask = (customerNumber: string): CallParts => ({ params: { id: NO_ID }, query: { customerNumber } })

const noSession = (customerNumber: string): CallParts => ({ params: { sessionId: `${customerNumber}.${NO_ID}` } })
const noSuchId = (customerNumber: string): CallParts => ({ body: { customerNumber, id: NO_ID } })
const NO_ORDER = {
  fsaID: 'no-such-contract',
  products: [
    {
      ansysbpn: 'ANS0010110',
      startdate: '2026-01-01',
      enddate: '2026-01-07',
      ansysprice: '665.00',
      ansyscurrency: 'USD',
    },
  ],
}

const account = (customerNumber: string): CallParts => ({ body: { customerNumber } })
/** Nothing to state, which is a business refusal: a file for every caller would take long. */
const beforeUsage = (customerNumber: string): CallParts => ({
  body: { customerNumber, from: '2000-01-01', to: '2000-01-31' },
})

const byHost = (customerNumber: string): CallParts => ({
  body: { customerNumber, from: '2000-01-01', to: '2000-01-31', by: 'host' },
})

const email = (n: number) => (customerNumber: string) => ({
  params: { id: demoEmailId(customerNumber, n), position: '1' },
  query: { customerNumber },
})

/** What the demo data has: a save that changes nothing is allowed to whoever may save. */
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

/** The first host of an account, in the words of the calls about activations and of those about shared servers. */
const hostOf = (customerNumber: string) =>
  DEMO_HOSTS[customerNumber]?.[0] ?? { name: 'h', id: '00000000000a', type: 'ETHERNET' }
const server = (customerNumber: string) => {
  const { name, id, type } = hostOf(customerNumber)
  return { serverName: name, serverId: id, serverIdType: type }
}
const sharedServer = (customerNumber: string) => {
  const { id, type } = hostOf(customerNumber)
  return { body: { customerNumber, hostId: id, hostIdType: type } }
}
const onServer = (customerNumber: string) => ({ body: { customerNumber, ...server(customerNumber) } })
const activeServers = (customerNumber: string): CallParts => ({ body: { customerNumber, state: 'Active' } })
const LICENSE_FILE = 'SERVER lic-01 3cecef4b7d10 1055\nVENDOR ansyslmd\n'
/** A host that no account has: callers with the right get 404, and nothing changes. */
const unknownHost = (customerNumber: string) => ({
  body: { customerNumber, hostId: '00000000fffe', hostIdType: 'ETHERNET' },
})
const NEW_SERVER = { serverName: 'lic-matrix', serverId: '00000000ffff', serverIdType: 'ETHERNET' }
const activationsRead = { on: 'account', may: selfServed } as const
const activationsWrite = { on: 'account', may: writers } as const

/** Of the accounts in the matrix, these have an elastic license server. */
const onElasticServer = { on: 'account', finds: ['100001', '100008'] } as const
const elasticServer =
  (more: object = {}) =>
  (customerNumber: string): CallParts => ({
    body: { customerNumber, clsId: elasticServerId(customerNumber), ...more },
  })
/** Nothing to state, which is a business refusal: nothing is frozen and nobody gets an email. */
const statementEmail = (customerNumber: string): CallParts => ({
  body: {
    customerid: customerNumber,
    server: elasticServerId(customerNumber),
    activationid: activationId({ customerNumber, purpose: 'elastic, of last year' }),
    date: '2000-02-01T12:00:00Z',
  },
})
/** Sales access does not include the PIN. */
const pinReaders: Rule = (person, account) => person !== 'saul' && notShutOut(person, account)

const webRead = { on: 'account', may: everyone } as const
const webWrite = { on: 'account', may: writers } as const
const webLists = (...names: readonly string[]): Record<string, Row> =>
  Object.fromEntries(
    names.flatMap((name) =>
      ['', '/count', '/distinct'].map((call) => [name + call, { kind: webRead, sample: account }]),
    ),
  )
/** Refused line by line: there is nobody whom the matrix could assign. */
const noWebUser = (customerNumber: string): CallParts => ({
  body: { customerNumber, activationIds: ['no-such-entitlement'], emails: ['no.such@user.example'] },
})
const noCheckout = (customerNumber: string): CallParts => ({ params: { checkoutId: `${customerNumber}.${NO_ID}` } })

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
      const kind = { on: 'service', scope } as const
      const id = 'no-such-id'
      return [
        [`service/${name}`, { kind, sample: () => ({ body: { records: [{}] } }) }],
        [`service/${name}/list`, { kind, sample: () => ({ query: { limit: '1' } }) }],
        [`service/${name}/get`, { kind: { ...kind, finds: false }, sample: () => ({ params: { id } }) }],
        [`service/${name}/revoke`, { kind, sample: () => ({ body: { ids: [id] } }) }],
        ...(removable.has(name)
          ? [[`service/${name}/removed`, { kind, sample: removedSinceNow }] satisfies [string, Row]]
          : []),
      ]
    }),
  )
}

export const ROWS: Record<string, Row> = {
  getUserDetails: { kind: 'signed-in', sample: () => ({}) },
  getaccounts: { kind: 'signed-in', sample: () => ({ body: {} }) },
  'getaccounts/count': { kind: 'signed-in', sample: () => ({ body: {} }) },
  'getaccounts/distinct': {
    kind: 'signed-in',
    sample: () => ({
      body: { filter: { condition: 'ALL', criteria: [{ name: 'AccountID', method: 'STARTSWITH', value: '100' }] } },
    }),
  },
  getCustomerAccounts: { kind: 'signed-in', sample: () => ({ body: { limit: 2 } }) },
  accounts: {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ body: { customerNumber, limit: 2 } }),
  },
  getaccountinfo: {
    kind: { on: 'account', may: everyone, despiteExport: true },
    sample: (customerNumber) => ({ params: { customerNumber } }),
  },
  home: { kind: { on: 'account', may: everyone }, sample: account },
  setup: { kind: 'signed-in', sample: () => ({}) },
  'home/accounts': { kind: { on: 'portal', may: STAFF }, sample: () => ({}) },
  search: {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ body: { customerNumber, text: 'aero' } }),
  },
  getemails: { kind: { on: 'account', may: notShutOut }, sample: account },
  'getemails/count': { kind: { on: 'account', may: notShutOut }, sample: account },
  'getemails/distinct': { kind: { on: 'account', may: notShutOut }, sample: account },
  getemail: {
    kind: { on: 'account', may: notShutOut },
    sample: (customerNumber) => ({ body: { customerNumber, id: demoEmailId(customerNumber, 1) } }),
  },
  'emails/body': { kind: { on: 'account', may: notShutOut }, sample: email(1) },
  'emails/attachment': { kind: { on: 'account', may: notShutOut }, sample: email(1) },
  'emails/resend': {
    kind: { on: 'account', may: onlyOlivia },
    sample: (customerNumber) => ({ params: { id: demoEmailId(customerNumber, 1) }, body: { customerNumber } }),
  },
  'emails/delete': {
    kind: { on: 'account', may: writers },
    sample: email(2),
    unnamed: (customerNumber) => ({ params: { id: demoEmailId(customerNumber, 3) } }),
  },
  'notifications/active': { kind: 'signed-in', sample: () => ({}) },
  'notifications/stream': { kind: 'signed-in', sample: () => ({ query: { wait: '0' } }) },
  notifications: { kind: 'signed-in', sample: () => ({ body: {} }) },
  'notifications/count': { kind: 'signed-in', sample: () => ({ body: {} }) },
  'notifications/distinct': { kind: 'signed-in', sample: () => ({ body: {} }) },
  'notifications/one': { kind: 'signed-in', sample: () => ({ params: { id: demoAlertId(1) } }) },
  'alerts/create': { kind: authors, sample: () => ({ body: ALERT_DRAFT }) },
  'alerts/edit': {
    kind: authors,
    sample: () => ({ params: { id: demoAlertId(2) }, body: { ...ALERT_DRAFT, revision: 1 } }),
  },
  'alerts/resolve': { kind: authors, sample: () => ({ params: { id: demoAlertId(3) }, body: { revision: 1 } }) },
  environment: { kind: 'public', sample: () => ({}) },
  getBuildInfo: { kind: 'signed-in', sample: () => ({}) },
  getFeatures: { kind: 'signed-in', sample: () => ({}) },
  setFeatures: { kind: 'signed-in', sample: () => ({ body: { features: ['home'] } }) },
  getRecentAccounts: { kind: 'signed-in', sample: () => ({}) },
  noteOpenedAccount: { kind: { on: 'account', may: everyone }, sample: account },
  getPreferences: { kind: 'signed-in', sample: () => ({}) },
  savePreferences: {
    kind: { on: 'accounts', may: everyone },
    sample: (...accounts) => ({
      body: { tables: accounts.map((customerNumber) => ({ customerNumber, tableName: 'emailList' })) },
    }),
  },
  getportalaccess: { kind: { on: 'account', may: notShutOut }, sample: account },
  setportalaccess: {
    kind: { on: 'account', may: granters },
    sample: (customerNumber) => {
      const contacts = CONTACTS[customerNumber] ?? []
      return { body: { customerNumber, newContacts: contacts, oldContacts: contacts } }
    },
  },
  getaccountswitches: { kind: { on: 'account', may: onlyOlivia }, sample: account },
  setaccountswitches: {
    kind: { on: 'account', may: onlyOlivia },
    sample: (customerNumber) => {
      const switches = loadSwitches(customerNumber)
      return { body: { customerNumber, newSwitches: switches, oldSwitches: switches } }
    },
  },
  getEntitlements: { kind: { on: 'account', may: everyone }, sample: account },
  'getEntitlements/draw': {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ body: { customerNumber, activationId: ['any'] } }),
  },
  'getEntitlements/forecast': { kind: { on: 'account', may: everyone }, sample: account },
  'getEntitlements/export': {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ body: { customerNumber, active: true } }),
  },
  statements: { kind: { on: 'account', may: everyone }, sample: beforeUsage },
  'statements/chargeback': { kind: { on: 'account', may: everyone }, sample: byHost },
  'statements/chargeback/export': { kind: { on: 'account', may: everyone }, sample: byHost },
  getPdf: { kind: { on: 'account', may: everyone }, sample: beforeUsage },
  emailweek: { kind: { ...onElasticServer, may: everyone }, sample: statementEmail },
  emailmonth: { kind: { ...onElasticServer, may: everyone }, sample: statementEmail },
  'statements/mailed': { kind: { on: 'account', may: everyone }, sample: account },
  'statements/mailed/count': { kind: { on: 'account', may: everyone }, sample: account },
  'statements/mailed/distinct': { kind: { on: 'account', may: everyone }, sample: account },
  'statements/mailed/file': { kind: { on: 'account', may: everyone, finds: false }, sample: noSuchId },
  'statements/schedule': { kind: { on: 'account', may: notShutOut }, sample: account },
  'statements/schedule/save': {
    kind: { on: 'account', may: writers },
    sample: (customerNumber) => ({
      body: { customerNumber, schedule: { weekly: false, monthly: false, recipients: [] } },
    }),
  },
  lastupdatedon: {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ query: { customerNumber } }),
  },
  'devices/elastic': { kind: { on: 'account', may: everyone }, sample: account },
  activatedelasticservers: { kind: { on: 'account', may: everyone }, sample: account },
  getpin: { kind: { ...onElasticServer, may: pinReaders }, sample: elasticServer() },
  changepin: {
    kind: { ...onElasticServer, may: writers },
    sample: (customerNumber) => elasticServer({ pin: demoPin(elasticServerId(customerNumber)) })(customerNumber),
  },
  getUsers: { kind: { ...onElasticServer, may: pinReaders }, sample: elasticServer() },
  saveUsers: {
    kind: { ...onElasticServer, may: writers },
    sample: elasticServer({ users: [] }),
  },
  getips: { kind: { ...onElasticServer, may: notShutOut }, sample: elasticServer() },
  getreminders: { kind: { on: 'account', may: notShutOut }, sample: account },
  setreminders: {
    kind: { on: 'account', may: writers },
    sample(customerNumber) {
      const kept = customerNumber === '100001' ? DEMO_REMINDERS : NO_REMINDERS
      return { body: { customerNumber, reminders: kept, revision: 0 } }
    },
  },
  calendarfeeds: { kind: { on: 'account', may: notShutOut }, sample: account },
  createcalendarfeed: {
    kind: { on: 'account', may: writers },
    sample: (customerNumber) => ({ body: { customerNumber, name: 'Matrix' } }),
  },
  revokecalendarfeed: { kind: { on: 'account', may: writers, finds: false }, sample: noSuchId },
  setips: {
    kind: { ...onElasticServer, may: writers },
    sample: elasticServer({ whitelist: [] }),
  },
  fetchUsage: { kind: { on: 'account', may: everyone }, sample: account },
  'fetchUsage/count': { kind: { on: 'account', may: everyone }, sample: account },
  'fetchUsage/sum': { kind: { on: 'account', may: everyone }, sample: account },
  'fetchUsage/distinct': {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ body: { customerNumber, key: 'Currency' } }),
  },
  'fetchUsage/export': { kind: { on: 'account', may: everyone }, sample: account },
  'fetchUsage/exports/start': { kind: { on: 'account', may: everyone }, sample: account },
  tasks: {
    kind: { on: 'account', may: everyone },
    sample: (customerNumber) => ({ query: { customerNumber } }),
  },
  'outbox/failed': { kind: authors, sample: () => ({ body: {} }) },
  'outbox/failed/count': { kind: authors, sample: () => ({ body: {} }) },
  'outbox/resend': { kind: { ...authors, finds: false }, sample: () => ({ params: { id: NO_ID } }) },
  'tasks/status': { kind: { on: 'account', may: everyone, finds: false }, sample: noTask },
  'tasks/file': { kind: { on: 'account', may: everyone, finds: false }, sample: noTask },
  'tasks/delete': { kind: { on: 'account', may: everyone, finds: false }, sample: noTask },
  fetchEntitlements: { kind: { on: 'account', may: selfServed }, sample: account },
  'fetchEntitlements/active': { kind: { on: 'account', may: selfServed }, sample: account },
  'fetchEntitlements/inactive': { kind: { on: 'account', may: selfServed }, sample: account },
  'fetchEntitlements/count': { kind: { on: 'account', may: selfServed }, sample: account },
  'fetchEntitlementsActive/count': { kind: { on: 'account', may: selfServed }, sample: account },
  'fetchEntitlementsInactive/count': { kind: { on: 'account', may: selfServed }, sample: account },
  'fetchEntitlements/distinct': {
    kind: { on: 'account', may: selfServed },
    sample: (customerNumber) => ({ body: { customerNumber, key: 'LicenseModel' } }),
  },
  'fetchEntitlements/active/export': { kind: { on: 'account', may: selfServed }, sample: account },
  'fetchEntitlements/inactive/export': { kind: { on: 'account', may: selfServed }, sample: account },
  'fulfillments/count': {
    kind: { on: 'account', may: selfServed },
    sample: (customerNumber) => ({ body: { customerNumber, activationId: ['any'] } }),
  },
  'fulfillments/hosts': {
    kind: { on: 'account', may: selfServed },
    sample: (customerNumber) => ({
      body: { customerNumber, activationId: activationId({ customerNumber, purpose: 'lease 1' }) },
    }),
  },
  ...dataRows(),
  'service/whoami': { kind: { on: 'service' }, sample: () => ({}) },
  'service/elastic/sessions': {
    kind: { on: 'service', scope: 'sessions' },
    sample: (customerNumber) => ({
      body: {
        serverId: elasticServerId(customerNumber),
        pin: 'not the PIN',
        username: 'anna',
        host: 'ws1',
        product: 'Fluid Flow Pro',
        count: 1,
        externalIp: '203.0.113.7',
      },
    }),
  },
  'service/elastic/sessions/heartbeat': { kind: { on: 'service', scope: 'sessions', finds: false }, sample: noSession },
  'service/elastic/sessions/end': { kind: { on: 'service', scope: 'sessions', finds: false }, sample: noSession },
  'service/usage': {
    kind: { on: 'service', scope: 'usage' },
    sample: (customerNumber) => ({
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
    }),
  },
  'elastic/denials': { kind: { on: 'account', may: everyone }, sample: account },
  'elastic/denials/count': { kind: { on: 'account', may: everyone }, sample: account },
  'elastic/denials/distinct': { kind: { on: 'account', may: everyone }, sample: account },
  'elastic/denials/export': { kind: { on: 'account', may: everyone }, sample: account },
  'elastic/pinlocks': { kind: { on: 'account', may: everyone }, sample: account },
  'elastic/unlockpin': {
    kind: { ...onElasticServer, may: (person) => STAFF.includes(person) },
    sample: (customerNumber) => ({
      body: { customerNumber, serverId: elasticServerId(customerNumber), externalIp: '203.0.113.7' },
    }),
  },
  uploadserverid: {
    kind: activationsWrite,
    sample: (customerNumber) => ({ body: { customerNumber, file: Buffer.from(LICENSE_FILE) } }),
  },
  'fulfillments/servers': { kind: activationsRead, sample: account },
  'fulfillments/entitlements': {
    kind: activationsRead,
    sample: (customerNumber) => ({ body: { customerNumber, serverId: hostOf(customerNumber).id, activeOnly: true } }),
  },
  'fulfillments/allentitlements': { kind: activationsRead, sample: account },
  'fulfillments/create': {
    kind: activationsWrite,
    sample: (customerNumber) => ({
      body: { customerNumber, ...server(customerNumber), activations: [{ id: 'no-such-activation', count: 1 }] },
    }),
  },
  'fulfillments/return': {
    kind: activationsWrite,
    sample: (customerNumber) => ({
      body: { customerNumber, activations: [{ id: 'no-such-fulfillment', count: -1 }] },
    }),
  },
  'fulfillments/customers': { kind: activationsRead, sample: sharedServer },
  'fulfillments/override': { kind: activationsWrite, sample: sharedServer },
  sharedserver: {
    kind: activationsWrite,
    sample: (customerNumber) => ({ body: { ...sharedServer(customerNumber).body, group: [customerNumber] } }),
  },
  'sharedserver/deactivate': { kind: activationsWrite, sample: sharedServer },
  'sharedserver/remove': { kind: { ...activationsWrite, finds: false }, sample: unknownHost },
  'fulfillments/plans/preview': {
    kind: { ...activationsWrite, finds: false },
    sample: (customerNumber) => ({ body: { ...unknownHost(customerNumber).body, action: 'DEACTIVATE' } }),
  },
  'fulfillments/plan': {
    kind: { ...activationsRead, finds: false },
    sample: (customerNumber) => ({ body: { customerNumber, id: NO_ID } }),
  },
  'fulfillments/plans': { kind: activationsRead, sample: account },
  'fulfillments/rehost': {
    kind: { ...activationsWrite, finds: false },
    sample: (customerNumber) => ({ body: { ...unknownHost(customerNumber).body, target: NEW_SERVER } }),
  },
  'fulfillments/deactivate': { kind: { ...activationsWrite, finds: false }, sample: unknownHost },
  'fulfillments/forcereturn': {
    kind: { on: 'account', may: onlyOlivia, finds: false },
    sample: (customerNumber) => ({ body: { ...unknownHost(customerNumber).body, reason: 'Stolen' } }),
  },
  'fulfillments/save': {
    kind: { on: 'accounts', may: writers },
    sample: (...accounts) => {
      const wanted = [{ id: 'no-such-activation', seats: 1 }]
      return { body: { ...NEW_SERVER, customers: accounts.map((customerNumber) => ({ customerNumber, wanted })) } }
    },
  },
  'fulfillments/renew': { kind: { ...activationsWrite, finds: false }, sample: unknownHost },
  'fulfillments/license': { kind: activationsWrite, sample: onServer },
  'fulfillments/download': { kind: activationsRead, sample: onServer },
  'fulfillments/email': {
    kind: activationsWrite,
    sample: (customerNumber) => {
      const { serverName, serverId } = server(customerNumber)
      return { body: { customerNumber, serverName, serverId } }
    },
  },
  'fulfillments/files': {
    kind: activationsRead,
    sample: (customerNumber) => ({ body: { customerNumber, serverId: hostOf(customerNumber).id } }),
  },
  'fulfillments/files/text': {
    kind: { on: 'account', may: selfServed, finds: false },
    sample: (customerNumber) => ({ body: { customerNumber, id: NO_ID } }),
  },
  'fulfillments/files/difference': {
    kind: { on: 'account', may: selfServed, finds: false },
    sample: (customerNumber) => ({ body: { customerNumber, before: NO_ID, after: NO_ID } }),
  },
  'fulfillments/history/servers': { kind: activationsRead, sample: activeServers },
  'fulfillments/history/servers/count': { kind: activationsRead, sample: activeServers },
  'fulfillments/history/servers/distinct': { kind: activationsRead, sample: activeServers },
  'fulfillments/history': {
    kind: activationsRead,
    sample: (customerNumber) => {
      const { id, type } = hostOf(customerNumber)
      return { body: { customerNumber, hosts: [{ hostId: id, hostIdType: type }] } }
    },
  },
  'fulfillments/servers/export': { kind: activationsRead, sample: activeServers },
  'fulfillments/timeline': { kind: activationsRead, sample: sharedServer },
  'fulfillments/preview': {
    kind: { on: 'accounts', may: writers },
    sample: (...accounts) => ({
      body: {
        ...server('100001'),
        customers: accounts.map((customerNumber) => ({ customerNumber, wanted: [] })),
      },
    }),
  },
  entitlements: {
    kind: { on: 'account', may: writers, finds: false },
    sample: (customerNumber) => ({ body: { ansyshasfsa: true, customerNumber, ...NO_ORDER } }),
  },
  'fsa/contracts': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/entitlements': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/contracts/count': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/contracts/distinct': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/entitlements/count': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/entitlements/distinct': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/history': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/history/count': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/history/distinct': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/history/export': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/drafts': { kind: { on: 'account', may: selfServed }, sample: account },
  'fsa/drafts/save': {
    kind: { on: 'account', may: selfServed, finds: false },
    sample: (customerNumber) => ({ body: { customerNumber, name: 'Draft', ...NO_ORDER } }),
  },
  'fsa/drafts/delete': { kind: { on: 'account', may: selfServed, finds: false }, sample: noSuchId },
  'fsa/drafts/quote': { kind: { on: 'account', may: selfServed, finds: false }, sample: noSuchId },
  'fsa/drafts/quote/pdf': { kind: { on: 'account', may: selfServed, finds: false }, sample: noSuchId },
  ...webLists('web/entitlements', 'web/seats', 'web/users', 'web/groups', 'web/members', 'web/groupassignments'),
  ...webLists('web/checkouts', 'web/denials'),
  'web/checkouts/sum': { kind: webRead, sample: account },
  'web/checkouts/export': { kind: webRead, sample: account },
  'web/denials/export': { kind: webRead, sample: account },
  'web/assign': { kind: webWrite, sample: noWebUser },
  'web/unassign': { kind: webWrite, sample: noWebUser },
  'web/groups/create': {
    kind: webWrite,
    sample: (customerNumber) => ({ body: { customerNumber, name: '' } }),
  },
  'web/groups/rename': {
    kind: { ...webWrite, finds: false },
    sample: (customerNumber) => ({ body: { customerNumber, groupId: NO_ID, name: 'Matrix' } }),
  },
  'web/groups/delete': {
    kind: { ...webWrite, finds: false },
    sample: (customerNumber) => ({ body: { customerNumber, groupId: NO_ID } }),
  },
  'web/groups/members': {
    kind: { ...webWrite, finds: false },
    sample: (customerNumber) => ({ body: { customerNumber, groupId: NO_ID, add: ['no.such@user.example'] } }),
  },
  'web/users/save': {
    kind: webWrite,
    sample: (customerNumber) => ({ body: { customerNumber, users: [{ email: 'not an email' }] } }),
  },
  'web/users/delete': {
    kind: webWrite,
    sample: (customerNumber) => ({ body: { customerNumber, emails: ['no.such@user.example'] } }),
  },
  'web/report': { kind: webRead, sample: beforeUsage },
  'web/report/export': {
    kind: webRead,
    sample: (customerNumber) => ({
      body: { customerNumber, from: '2000-01-01', to: '2000-01-02', table: 'products' },
    }),
  },
  'web/report/pdf': { kind: webRead, sample: beforeUsage },
  optimization: { kind: { on: 'account', may: everyone }, sample: beforeUsage },
  'optimization/export': { kind: { on: 'account', may: everyone }, sample: beforeUsage },
  'optimization/pdf': { kind: { on: 'account', may: everyone }, sample: beforeUsage },
  'service/web/checkouts': {
    kind: { on: 'service', scope: 'web' },
    sample: (customerNumber) => ({
      body: { customerNumber, product: 'no such product', username: 'ann@user.example', host: 'ws1' },
    }),
  },
  'service/web/checkouts/heartbeat': { kind: { on: 'service', scope: 'web', finds: false }, sample: noCheckout },
  'service/web/checkouts/checkin': { kind: { on: 'service', scope: 'web', finds: false }, sample: noCheckout },
  'licenses/verify': { kind: 'signed-in', sample: () => ({ body: { file: Buffer.from(LICENSE_FILE) } }) },
}

/** The operations with their rows. One without a row is left out: a test of its own says so, and no other test fails. */
export const OPERATIONS_IN_ROWS: readonly { name: string; operation: Operation; row: Row }[] = OPERATIONS.flatMap(
  (operation) => {
    const row = ROWS[operation.name]
    return row ? [{ name: operation.name, operation, row }] : []
  },
)
