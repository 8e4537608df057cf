import { setTimeout as sleep } from 'node:timers/promises'
import { accountList } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { getRecentAccounts, noteOpenedAccount } from '#contract/accounts/recent-accounts.ts'
import { writableAccounts } from '#contract/accounts/writable-accounts.ts'
import { hostHistoryList } from '#contract/activations/history/history.ts'
import { listServers } from '#contract/activations/hosts/servers.ts'
import { downloadLicense } from '#contract/activations/license-files/license-files.ts'
import { getPlan, listPlans, previewSave } from '#contract/activations/plans/host-plans.ts'
import { saveActivations } from '#contract/activations/plans/start-plans.ts'
import { allEntitlements, serverEntitlements } from '#contract/activations/seats/activations.ts'
import { getEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import { getRunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { elasticDevice } from '#contract/elastic/credentials/elastic-servers.ts'
import { endSession, sendHeartbeat, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { getStatement, getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { lastUpdatedOn } from '#contract/elastic/usage/last-updated-on.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { startUsageExport } from '#contract/elastic/usage/usage-exports.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { activeEntitlementList, inactiveEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { countFulfillments } from '#contract/entitlements/fulfillments.ts'
import { listContracts } from '#contract/fsa/contracts.ts'
import { listFsaEntitlements } from '#contract/fsa/entitlements.ts'
import { orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { emailList } from '#contract/messages/email-list.ts'
import { activeNotifications } from '#contract/messages/notifications.ts'
import { getOptimization } from '#contract/optimization/optimization.ts'
import { search } from '#contract/search/search.ts'
import { environment, getBuildInfo } from '#contract/settings/environment.ts'
import { getFeatures } from '#contract/settings/features.ts'
import { getPreferences } from '#contract/settings/preferences.ts'
import { deleteTask, downloadTask, getTask, listTasks } from '#contract/tasks/tasks.ts'
import { webCheckoutList } from '#contract/web-licenses/web-checkout-lists.ts'
import { checkInWebLicense, keepWebCheckout, startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import { webEntitlementList, webSeatList } from '#contract/web-licenses/web-lists.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { oldestHeartbeat } from '#domain/elastic/sessions/session-life.ts'
import type { Random } from '#server/demo/random.ts'
import { checkoutOf, orderOf, savedSeats, sessionOf } from '#server/testing/load/load-requests.ts'
import { ELASTIC_PRODUCTS, type LoadAccount, seatsOf, usageOf } from '#server/testing/load/load-world.ts'
import type { PortalClient } from '#server/testing/load/portal-client.ts'

/** A signed-in person, with what they have running. */
export type User = {
  readonly browser: PortalClient
  /** The vendor's service that meters sessions and checkouts of the account, and sends its usage. */
  readonly service: PortalClient
  readonly account: LoadAccount
  readonly person: number
  readonly random: Random
  readonly number: number
  sent: number
  seats: number
  saves: number
  session?: Running | undefined
  checkout?: Running | undefined
}
/** Ends by itself unless it gets heartbeats. */
type Running = { readonly id: string; heard: Date }

/** Work that continues after the answer. Its duration is measured separately. */
export type Background = () => Promise<void>
export type Action = {
  readonly kind: string
  readonly weight: number
  /** May answer with what goes on in the background. */
  run(user: User): Promise<unknown>
}

const ALL = { condition: 'ALL', criteria: [] }
const PAGE = { limit: 100, offset: 0 }
/** Milliseconds between two questions of the browser how far something is. */
const POLL = 400
const MAX_POLLS = 300
const DAY = 24 * 3_600_000
const LEASES = { type: 'SSL', state: 'Deployed' }
const LEASE_COLUMNS = [
  'ActivationId',
  'ProductName',
  'LicenseModel',
  'LineItemQuantity',
  'StartDate',
  'EndDate',
  'VersionDate',
  'IsActivationPermanent',
  'CA[ENT|ansystype]',
]
const USAGE_COLUMNS =
  'TransactionNumber Active StartTime_ts EndTime_ts ActivationID CorrectionOf StartTime EndTime Product ProductCount Hours Charge Currency User Host Project DeviceID SessionStatus REFERER_IP_ADDRESS productVersion AnsysCloudJobId'.split(
    ' ',
  )

const today = () => dayIn('UTC', new Date())
const lastMonth = () => {
  const first = `${today().slice(0, 7)}-01`
  const to = addDays(first, -1)
  return { from: `${to.slice(0, 7)}-01`, to }
}
/** The date range with which the usage screens open. */
const recent = (from: string, to: string, days = 2) => [
  { name: from, method: 'AFTER', value: new Date(Date.now() - days * DAY).toISOString() },
  { name: to, method: 'BEFORE', value: new Date(Date.now() + DAY).toISOString() },
]

/** Calls of one screen, sent at once as the browser does. */
function ofAccount({ browser, account: { customerNumber } }: User) {
  return (operation: Operation, more: object = {}) => browser.ask(operation, { body: { customerNumber, ...more } })
}

async function until(isDone: () => Promise<boolean>, what: string): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    if (await isDone()) return
    await sleep(POLL)
  }
  throw new Error(`${what} did not end`)
}

async function openPortal({ browser, account: { customerNumber } }: User): Promise<void> {
  await browser.get(`/home?customer=${customerNumber}`)
  await Promise.all([
    browser.get('/config.json'),
    ...[getUserDetails, getFeatures, getPreferences, getRecentAccounts, listTasks, environment, getBuildInfo].map(
      (operation) => browser.ask(operation),
    ),
    browser.ask(activeNotifications),
    browser.ask(accountList.page, { body: { sorting: [{ name: 'AccountName', direction: 'asc' }], limit: 21 } }),
  ])
}

async function home(user: User): Promise<void> {
  const { browser, account } = user
  const ask = ofAccount(user)
  await Promise.all([
    browser.ask(getAccountInfo, { params: { customerNumber: account.customerNumber } }),
    ask(noteOpenedAccount),
    ask(getAccountHome),
    ask(getRunOutForecast),
  ])
}

async function leases(user: User, criteria: readonly object[] = []): Promise<void> {
  const ask = ofAccount(user)
  const filter = { condition: 'ALL', criteria }
  const sorting = [{ name: 'EndDate', direction: 'asc' }]
  const page = async (list: typeof activeEntitlementList | typeof inactiveEntitlementList) => {
    const { data } = await ask(list.page, { ...LEASES, filter, sorting, ...PAGE, attributes: LEASE_COLUMNS })
    const activationId = (data as { ActivationId: string }[]).map((row) => row.ActivationId)
    if (activationId.length > 0) await ask(countFulfillments, { activationId })
  }
  await Promise.all([
    page(activeEntitlementList),
    ask(activeEntitlementList.count, { ...LEASES, filter }),
    page(inactiveEntitlementList),
    ask(inactiveEntitlementList.count, { ...LEASES, filter }),
  ])
}

async function usage(user: User): Promise<void> {
  const { browser, account } = user
  const ask = ofAccount(user)
  const filter = { condition: 'ALL', criteria: recent('EndTime_ts', 'StartTime_ts') }
  const one = (name: string) =>
    ask(usageList.page, {
      filter: { condition: 'ALL', criteria: [{ name, method: 'ISDEFINED', value: true }] },
      attributes: [name],
      limit: 1,
    })
  await Promise.all([
    browser.ask(lastUpdatedOn, { query: { customerNumber: account.customerNumber } }),
    ask(elasticDevice),
    one('AnsysCloudJobId'),
    one('CorrectedNumber'),
    ask(usageList.page, { filter, sorting: [], ...PAGE, attributes: USAGE_COLUMNS }),
    ask(usageList.count, { filter }),
    ask(usageList.sum, { filter }),
  ])
}

/** A product is chosen from the values of its column, and the rows are sorted by their charge. */
async function filterUsage(user: User): Promise<void> {
  const ask = ofAccount(user)
  const range = recent('EndTime_ts', 'StartTime_ts', 30)
  const { data } = await ask(usageList.distinct, {
    key: 'Product',
    filter: { condition: 'ALL', criteria: range },
    limit: 500,
  })
  const value = user.random.pick(data as unknown[]) ?? 'Fluid Flow Pro'
  const filter = { condition: 'ALL', criteria: [...range, { name: 'Product', method: 'EQUALS', value }] }
  const sorting = [{ name: 'Charge', direction: 'desc' }]
  await Promise.all([
    ask(usageList.page, { filter, sorting, ...PAGE, attributes: USAGE_COLUMNS }),
    ask(usageList.count, { filter }),
    ask(usageList.sum, { filter }),
  ])
}

async function history(user: User): Promise<void> {
  const ask = ofAccount(user)
  const servers = (state: string) => [
    ask(hostHistoryList.page, {
      state,
      history: ALL,
      filter: ALL,
      sorting: [{ name: 'serverName', direction: 'asc' }],
      ...PAGE,
    }),
    ask(hostHistoryList.count, { state, history: ALL, filter: ALL }),
  ]
  await Promise.all([...servers('Active'), ...servers('Inactive'), ask(listPlans)])
}

async function activations(user: User): Promise<void> {
  const { browser, account } = user
  const ask = ofAccount(user)
  const { server } = seatsOf(account, user.person)
  await Promise.all([
    ask(listServers),
    ask(writableAccounts, { limit: 2 }),
    browser.ask(getAccountInfo, { params: { customerNumber: account.customerNumber } }),
    ask(serverEntitlements, { serverId: server.serverId, activeOnly: true }),
    ask(allEntitlements),
  ])
}

/** The portal sends a person no more of them within an hour. */
const MAILED_SAVES = 5

/** Another number of seats than before: seen in a preview, saved, and the license file downloaded when it is there. */
async function activate(user: User): Promise<Background> {
  const { browser, account, person } = user
  const { customerNumber } = account
  user.seats = 1 + ((user.seats + 6) % 40)
  const body = savedSeats(account, person, user.seats)
  await browser.ask(previewSave, { body })
  const { data } = await browser.ask(saveActivations, { body: { ...body, email: ++user.saves <= MAILED_SAVES } })
  const { id } = data as { id: string }
  return async () => {
    await until(async () => {
      const plan = (await browser.ask(getPlan, { body: { customerNumber, id } })).data as {
        state: string
        finishedAt: string | null
      }
      if (plan.state === 'failed') throw new Error('a plan failed')
      return plan.finishedAt !== null
    }, 'a plan')
    await browser.ask(downloadLicense, { body: { customerNumber, ...seatsOf(account, person).server } })
  }
}

async function order(user: User): Promise<void> {
  const { browser, account, random } = user
  await ofAccount(user)(listContracts)
  await browser.ask(orderEntitlements, { body: orderOf(account, today(), random.integer(1, 4)) })
}

async function exportInBackground(user: User): Promise<Background> {
  const { browser, account, random } = user
  const { customerNumber } = account
  const filter = { condition: 'ALL', criteria: recent('EndTime_ts', 'StartTime_ts', random.integer(3, 60)) }
  const { data } = await ofAccount(user)(startUsageExport, { filter })
  const request = { params: { id: (data as { id: string }).id }, query: { customerNumber } }
  return async () => {
    await until(async () => {
      const { state } = (await browser.ask(getTask, request)).data as { state: string }
      if (state === 'failed' || state === 'expired') throw new Error(`an export ${state}`)
      return state === 'ready'
    }, 'an export')
    await browser.fetchFile(downloadTask, request)
    await browser.ask(deleteTask, request)
  }
}

const BATCH = 25

async function ingest(user: User): Promise<void> {
  const { service, account, random, number } = user
  const transactions = Array.from({ length: BATCH }, () =>
    usageOf(account, `${number}-${++user.sent}`, random, 2 * 3_600_000),
  )
  const { data } = await service.ask(sendUsage, { body: { transactions } })
  const refused = (data as { status: string; err?: string }[]).find(({ status }) => status !== 'SUCCESS')
  if (refused) throw new Error(`usage was refused: ${refused.err}`)
}

/** Starts a session, keeps it with heartbeats, and ends it after about five of them. */
async function session(user: User): Promise<void> {
  const { service, account, person, random } = user
  const session = whileItRuns(user.session)
  if (!session) {
    const body = sessionOf(account, person, random.pick(ELASTIC_PRODUCTS).name)
    const { sessionId } = (await service.ask(startSession, { body })).data as { sessionId: string }
    user.session = { id: sessionId, heard: new Date() }
  } else if (random.chance(0.2)) {
    user.session = undefined
    await service.ask(endSession, { params: { sessionId: session.id } })
  } else {
    session.heard = new Date()
    await service.ask(sendHeartbeat, { params: { sessionId: session.id } })
  }
}

async function checkout(user: User): Promise<void> {
  const { service, account, person, random } = user
  const checkout = whileItRuns(user.checkout)
  if (!checkout) {
    const { data } = await service.ask(startWebCheckout, { body: checkoutOf(account, person) })
    user.checkout = { id: (data as { checkoutId: string }).checkoutId, heard: new Date() }
  } else if (random.chance(0.25)) {
    user.checkout = undefined
    await service.ask(checkInWebLicense, { params: { checkoutId: checkout.id } })
  } else {
    checkout.heard = new Date()
    await service.ask(keepWebCheckout, { params: { checkoutId: checkout.id } })
  }
}

/** Users act at random times, so heartbeats can be late. The portal ends such a session; the user then starts a new one. */
function whileItRuns(running: Running | undefined): Running | undefined {
  return running && running.heard > oldestHeartbeat(new Date()) ? running : undefined
}

/** What a day consists of; weights are percent. */
export const DAY_OF_WORK: readonly Action[] = [
  { kind: 'open the portal', weight: 5, run: openPortal },
  { kind: 'Home', weight: 11, run: home },
  { kind: 'Leases & Perpetuals', weight: 9, run: (user) => leases(user) },
  { kind: 'Usage Transactions', weight: 8, run: usage },
  { kind: 'Elastic Units', weight: 4, run: async (user) => void (await ofAccount(user)(getEntitlements)) },
  { kind: 'Manage Activations', weight: 5, run: history },
  { kind: 'Activations', weight: 4, run: activations },
  {
    kind: 'Statement',
    weight: 3,
    run: async (user) => void (await ofAccount(user)(getStatement, lastMonth())),
  },
  {
    kind: 'Spending account',
    weight: 3,
    run: async (user) => {
      const ask = ofAccount(user)
      await Promise.all([ask(listFsaEntitlements), ask(listContracts)])
    },
  },
  {
    kind: 'Web assignments and checkouts',
    weight: 4,
    run: async (user) => {
      const ask = ofAccount(user)
      const filter = { condition: 'ALL', criteria: recent('endTime', 'startTime') }
      await Promise.all([
        ask(webEntitlementList.page, { filter: ALL, ...PAGE }),
        ask(webSeatList.page, { filter: ALL, ...PAGE }),
        ask(webCheckoutList.page, { filter, ...PAGE }),
        ask(webCheckoutList.count, { filter }),
      ])
    },
  },
  {
    kind: 'Emails',
    weight: 2,
    run: async (user) => {
      const ask = ofAccount(user)
      const sorting = [{ name: 'date', direction: 'desc' }]
      await Promise.all([ask(emailList.page, { filter: ALL, sorting, ...PAGE }), ask(emailList.count, { filter: ALL })])
    },
  },
  {
    kind: 'Optimization',
    weight: 1,
    run: async (user) => void (await ofAccount(user)(getOptimization, { from: addDays(today(), -31), to: today() })),
  },
  {
    kind: 'search',
    weight: 4,
    run: async (user) => {
      const text = user.random.pick(['flu', 'struct', 'lic-', 'hpc', 'person', 'elastic'])
      await ofAccount(user)(search, { text })
    },
  },
  {
    kind: 'filter leases',
    weight: 5,
    run: (user) => {
      const value = user.random.pick(['Fluid', 'Structural', 'HPC', 'Optic'])
      return leases(user, [{ name: 'ProductName', method: 'CONTAINS', value, casefold: true }])
    },
  },
  { kind: 'filter usage', weight: 5, run: filterUsage },
  {
    kind: 'export leases as CSV',
    weight: 1,
    run: async (user) => {
      const body = { customerNumber: user.account.customerNumber, ...LEASES, filter: ALL }
      await user.browser.fetchFile(activeEntitlementList.exportCsv, { body })
    },
  },
  {
    kind: 'export usage as CSV',
    weight: 1,
    run: async (user) => {
      const filter = { condition: 'ALL', criteria: recent('EndTime_ts', 'StartTime_ts', 60) }
      const body = { customerNumber: user.account.customerNumber, filter }
      await user.browser.fetchFile(usageList.exportCsv, { body })
    },
  },
  {
    kind: 'statement as PDF',
    weight: 1,
    run: async (user) => {
      const body = { customerNumber: user.account.customerNumber, ...lastMonth() }
      await user.browser.fetchFile(getStatementPdf, { body })
    },
  },
  { kind: 'export in the background', weight: 1, run: exportInBackground },
  { kind: 'activate seats', weight: 4, run: activate },
  { kind: 'order', weight: 3, run: order },
  { kind: 'usage batch', weight: 4, run: ingest },
  { kind: 'elastic session', weight: 8, run: session },
  { kind: 'web checkout', weight: 4, run: checkout },
]
