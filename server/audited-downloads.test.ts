import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accessList,
  finishReview,
  getReviewCsv,
  getReviewPdf,
  getReviewSignature,
  openReview,
} from '#contract/access-review/access-review.ts'
import { exportServers } from '#contract/activations/history/history.ts'
import { getPlan, getPlanFiles } from '#contract/activations/plans/host-plans.ts'
import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import { regenerateFiles } from '#contract/activations/plans/start-plans.ts'
import { auditList, exportAuditLines } from '#contract/audit/audit.ts'
import { exportElasticEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import { exportForecast, getForecastPdf } from '#contract/elastic/balances/run-out-forecast.ts'
import { exportLimits } from '#contract/elastic/limits/limits.ts'
import { denialList } from '#contract/elastic/sessions/denial-list.ts'
import { exportChargeback, getChargebackPdf } from '#contract/elastic/statements/chargeback.ts'
import { emailMonth, getMailedStatement, mailedStatementList } from '#contract/elastic/statements/mailed-statements.ts'
import { exportStatement, getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { getUsagePdf, startUsageExport } from '#contract/elastic/usage/usage-exports.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { activeEntitlementList, inactiveEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { listContracts, type WireContract } from '#contract/fsa/contracts.ts'
import { type Draft, quoteDraft, quoteDraftAsPdf, saveDraft } from '#contract/fsa/drafts.ts'
import { historyList } from '#contract/fsa/history-list.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { licenseDenialList } from '#contract/license-use/denials.ts'
import { exportLicenseUse, getLicenseUsePdf } from '#contract/license-use/license-use.ts'
import { getMetrics, waitingList } from '#contract/license-use/waiting/waiting.ts'
import { getEmailAttachment } from '#contract/messages/emails.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { exportOptimization, getOptimizationPdf } from '#contract/optimization/optimization.ts'
import {
  downloadOptionsFile,
  exportOptionsFile,
  getOptionsFile,
  type OptionsAnswer,
  saveOptionsFile,
} from '#contract/options-files/options-files.ts'
import { exportRenewalPlan, getRenewalPlanPdf, saveRenewalPlan } from '#contract/planner/planner.ts'
import { downloadTask, getTask, type Task } from '#contract/tasks/tasks.ts'
import { webCheckoutList, webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import { exportWebReport, getWebReportPdf } from '#contract/web-licenses/web-report.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { statementRequest } from '#server/testing/metering.ts'
import { type CallParts, type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const VIC = 'vic.viewer@aerodyne.example'
const ADA = 'ada.admin@aerodyne.example'
const customerNumber = '100001'
const query = { customerNumber }
const filterOn = (name: string, method: string, value: unknown) => ({
  condition: 'ALL',
  criteria: [{ name, method, value }],
})

let portal: Portal
let call: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  call = await portal.as(VIC)
})
afterAll(() => portal.close())

/** Actions that were logged for this person since the last look. */
let seen = '0'
async function newEntries(email: string) {
  const rows = await portal.db
    .selectFrom('audit_log')
    .select(['id', 'action', 'customer_number', 'target', 'after', 'outcome'])
    .where('email', '=', email)
    .where('id', '>', seen)
    .orderBy('id')
    .execute()
  seen = rows.at(-1)?.id ?? seen
  return rows.map(({ id: _, ...entry }) => entry)
}

async function readyExport(): Promise<string> {
  const filter = filterOn('ProductCount', 'EQUALS', 3)
  const { id } = (await call(startUsageExport, { body: { customerNumber, filter } })).body.data as Task
  const state = async () => ((await call(getTask, { params: { id }, query })).body.data as Task).state
  await until(async () => (await state()) === 'ready', 'the export is never ready')
  return id
}

async function mailedStatement(): Promise<string> {
  await call(emailMonth, { body: await statementRequest(portal.db, customerNumber, portal.clock.now()) })
  const [statement] = (await call(mailedStatementList.page, { body: query })).body.data as { Id: string }[]
  return statement?.Id ?? ''
}

/** A plan of an administrator that has generated license files. */
async function finishedPlan(): Promise<string> {
  const ada = await portal.as('ada.admin@aerodyne.example')
  const { id } = (await ada(regenerateFiles, { body: query })).body.data as HostPlan
  const state = async () => ((await ada(getPlan, { body: { customerNumber, id } })).body.data as HostPlan).state
  await until(async () => (await state()) === 'done', 'the plan never ends')
  return id
}

/** A renewal plan of an administrator. */
async function savedPlan(): Promise<string> {
  const ada = await portal.as('ada.admin@aerodyne.example')
  const lines = [{ product: 'Structural Mechanics Pro', seats: 1 }]
  const { body } = await ada(saveRenewalPlan, { body: { ...query, ...october, name: 'Audited', lines } })
  return (body.data as { id: string }).id
}

/** A finished access review of an administrator, with its files. */
async function finishedReview() {
  const ada = await portal.as(ADA)
  const { body } = await ada(openReview, { body: query })
  const reviewId = (body.data as { id: string }).id
  await ada(finishReview, { body: { ...query, reviewId } })
  const file = () => ada(getReviewSignature, { body: { ...query, reviewId } })
  await until(async () => (await file()).body.code !== 'FILES_NOT_READY', 'the files are never made')
  return { body: { ...query, reviewId } }
}

/** The options file of a license server, saved by an administrator. */
async function savedOptions() {
  const ada = await portal.as('ada.admin@aerodyne.example')
  const file = { ...query, serverId: '3cecef4b7d10', daemon: 'ansyslmd' }
  const answer = (await ada(getOptionsFile, { body: file })).body.data as OptionsAnswer
  await ada(saveOptionsFile, { body: { ...file, text: '# audited\n', revision: answer.file?.revision } })
  return file
}

/** A draft that can be ordered as it is. */
async function saveQuotable(): Promise<string> {
  const contracts = (await call(listContracts, { body: query })).body.data as WireContract[]
  const contract = contracts.find(
    (one) => one.fsaproducts.length > 0 && one.StartDate < tomorrow() && Number(one.available) > 30_000,
  )
  const [product] = contract?.fsaproducts ?? []
  const products = [
    {
      ansysbpn: product?.ansysbpn,
      startdate: tomorrow(),
      enddate: addDays(tomorrow(), 29),
      ansysprice: product?.price30Days,
      ansyscurrency: contract?.['CA[ENT|ansyscurrency]'],
    },
  ]
  const body = { ...query, fsaID: contract?.fsaID, name: 'Quotable', products }
  return ((await call(saveDraft, { body })).body.data as Draft).id
}
const tomorrow = () => addDays(dayIn('Europe/Berlin', portal.clock.now()), 1)

type Download = {
  operation: Operation
  /** Who may; the viewer by default. */
  by?: string
  parts(): CallParts | Promise<CallParts>
  /** A request that gets no file. */
  wrong: CallParts
  entry: { target: unknown; after: unknown }
}
const usageFilter = filterOn('ProductCount', 'EQUALS', 3)
const leaseFilter = filterOn('LineItemQuantity', '>', 5)
const sorting = [{ name: 'EndDate', direction: 'desc' }]
const unknownField = filterOn('Foo', 'EQUALS', 1)
const attachment = demoEmailId(customerNumber, 1)

const october = { from: '2026-10-01', to: '2026-10-31' }

const NO_REVIEW = { body: { customerNumber, reviewId: '00000000-0000-4000-8000-000000000000' } }
const reviewDownload = (operation: Operation, ending: string): Download => ({
  operation,
  by: ADA,
  parts: finishedReview,
  wrong: NO_REVIEW,
  entry: {
    target: expect.stringMatching(new RegExp(`^access-review_100001_.*[.]${ending}$`)),
    after: { reviewId: expect.any(String) },
  },
})

const DOWNLOADS: readonly Download[] = [
  {
    operation: accessList.exportCsv,
    by: ADA,
    parts: () => ({ body: { customerNumber, filter: filterOn('kind', 'EQUALS', 'contact') } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^access_100001_.*\.csv$/),
      after: { filter: filterOn('kind', 'EQUALS', 'contact') },
    },
  },
  reviewDownload(getReviewPdf, 'pdf'),
  reviewDownload(getReviewCsv, 'csv'),
  reviewDownload(getReviewSignature, 'signature[.]json'),
  {
    operation: usageList.exportCsv,
    parts: () => ({ body: { customerNumber, filter: usageFilter, limit: 30_000 } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^usage-transactions_100001_.*\.csv$/),
      after: { filter: usageFilter, limit: 30_000 },
    },
  },
  {
    operation: downloadTask,
    parts: async () => ({ params: { id: await readyExport() }, query }),
    wrong: { params: { id: '00000000-0000-4000-8000-000000000000' }, query },
    entry: {
      target: expect.stringMatching(/^[0-9a-f-]{36}$/),
      after: { filter: usageFilter },
    },
  },
  {
    operation: activeEntitlementList.exportCsv,
    parts: () => ({ body: { customerNumber, type: 'SSL', filter: leaseFilter, sorting } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^active-entitlements-100001-.*\.csv$/),
      after: { type: 'SSL', filter: leaseFilter, sorting },
    },
  },
  {
    operation: inactiveEntitlementList.exportCsv,
    parts: () => ({ body: { customerNumber } }),
    wrong: { body: { customerNumber, sorting: [{ name: 'Foo', direction: 'asc' }] } },
    entry: {
      target: expect.stringMatching(/^inactive-entitlements-100001-.*\.csv$/),
      after: {},
    },
  },
  {
    operation: exportElasticEntitlements,
    parts: () => ({ body: { customerNumber, active: true, filter: filterOn('used', '>=', 0) } }),
    wrong: { body: { customerNumber, active: true, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^active-elastic-entitlements-100001-.*\.csv$/),
      after: { active: true, filter: filterOn('used', '>=', 0) },
    },
  },
  {
    operation: getStatementPdf,
    parts: () => ({ body: { customerNumber, from: '2026-10-01', to: '2026-10-31' } }),
    wrong: { body: { customerNumber, from: '2026-10-31', to: '2026-10-01' } },
    entry: {
      target: 'statement_100001_2026-10-01_2026-10-31.pdf',
      after: { from: '2026-10-01', to: '2026-10-31' },
    },
  },
  {
    operation: exportChargeback,
    parts: () => ({ body: { customerNumber, ...october, by: 'project' } }),
    wrong: { body: { customerNumber, ...october, by: 'moon' } },
    entry: {
      target: 'chargeback-by-project_100001_2026-10-01_2026-10-31.csv',
      after: { ...october, by: 'project' },
    },
  },
  {
    operation: getChargebackPdf,
    parts: () => ({ body: { customerNumber, ...october, by: 'project' } }),
    wrong: { body: { customerNumber, ...october, by: 'moon' } },
    entry: {
      target: 'chargeback-by-project_100001_2026-10-01_2026-10-31.pdf',
      after: { ...october, by: 'project' },
    },
  },
  {
    operation: exportStatement,
    parts: () => ({ body: { customerNumber, ...october, table: 'orders' } }),
    wrong: { body: { customerNumber, ...october, table: 'nothing' } },
    entry: {
      target: expect.stringMatching(/_100001_2026-10-01_2026-10-31\.csv$/),
      after: { ...october, table: 'orders' },
    },
  },
  {
    operation: exportForecast,
    parts: () => ({ body: query }),
    wrong: { body: {} },
    entry: { target: expect.stringMatching(/_100001_.*\.csv$/), after: {} },
  },
  {
    operation: getForecastPdf,
    parts: () => ({ body: query }),
    wrong: { body: {} },
    entry: { target: expect.stringMatching(/_100001_.*\.pdf$/), after: {} },
  },
  {
    operation: getUsagePdf,
    parts: () => ({ body: { customerNumber, filter: usageFilter } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: { target: expect.stringMatching(/_100001_.*\.pdf$/), after: { filter: usageFilter } },
  },
  {
    operation: mailedStatementList.exportCsv,
    parts: () => ({ body: { customerNumber, filter: filterOn('Kind', 'CONTAINS', 'o') } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/_100001_.*\.csv$/),
      after: { filter: filterOn('Kind', 'CONTAINS', 'o') },
    },
  },
  {
    operation: getPlanFiles,
    parts: async () => ({ body: { customerNumber, id: await finishedPlan() } }),
    wrong: { body: { customerNumber, id: 'no-such-plan' } },
    entry: {
      target: 'licenses_100001.zip',
      after: { id: expect.any(String), files: expect.arrayContaining([expect.stringMatching(/\.lic$/)]) },
    },
  },
  {
    operation: getMailedStatement,
    parts: async () => ({ body: { customerNumber, id: await mailedStatement() } }),
    wrong: { body: { customerNumber, id: 'no-such-statement' } },
    entry: { target: expect.stringMatching(/^statement_100001_.*\.pdf$/), after: { id: expect.any(String) } },
  },
  {
    operation: denialList.exportCsv,
    parts: () => ({ body: { customerNumber, filter: filterOn('ProductCount', '>=', 1) } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^elastic-denials_100001_.*\.csv$/),
      after: { filter: filterOn('ProductCount', '>=', 1) },
    },
  },
  {
    operation: exportServers,
    parts: () => ({ body: { customerNumber, state: 'Inactive', history: filterOn('count', '<', 0) } }),
    wrong: { body: { customerNumber, history: unknownField } },
    entry: {
      target: 'InactiveServers_100001.csv',
      after: { state: 'Inactive', history: filterOn('count', '<', 0) },
    },
  },
  {
    operation: historyList.exportCsv,
    parts: () => ({ body: { customerNumber, filter: filterOn('count', '>=', 2) } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^ANSYSOrderHistory_.*_100001\.csv$/),
      after: { filter: filterOn('count', '>=', 2) },
    },
  },
  {
    operation: quoteDraft,
    parts: async () => ({ body: { customerNumber, id: await saveQuotable() } }),
    wrong: { body: { customerNumber, id: 'no-such-draft' } },
    entry: { target: expect.stringMatching(/^Q-[0-9A-F]{8}-1\.csv$/), after: { id: expect.any(String) } },
  },
  {
    operation: quoteDraftAsPdf,
    parts: async () => ({ body: { customerNumber, id: await saveQuotable() } }),
    wrong: { body: { customerNumber, id: 'no-such-draft' } },
    entry: { target: expect.stringMatching(/^Q-[0-9A-F]{8}-1\.pdf$/), after: { id: expect.any(String) } },
  },
  {
    operation: webCheckoutList.exportCsv,
    parts: () => ({ body: { customerNumber, filter: filterOn('hours', '>=', 1) } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^web-transactions_100001_.*\.csv$/),
      after: { filter: filterOn('hours', '>=', 1) },
    },
  },
  {
    operation: webDenialList.exportCsv,
    parts: () => ({ body: { customerNumber, filter: filterOn('product', 'CONTAINS', 'Optical') } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^web-denials_100001_.*\.csv$/),
      after: { filter: filterOn('product', 'CONTAINS', 'Optical') },
    },
  },
  {
    operation: licenseDenialList.exportCsv,
    parts: () => ({ body: { customerNumber, ...october, filter: filterOn('seats', '>=', 1) } }),
    wrong: { body: { customerNumber, ...october, filter: unknownField } },
    entry: {
      target: 'license-denials_100001_2026-10-01_2026-10-31.csv',
      after: { ...october, filter: filterOn('seats', '>=', 1) },
    },
  },
  {
    operation: waitingList.exportCsv,
    parts: () => ({ body: { customerNumber, filter: filterOn('seats', '>=', 1) } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: { target: 'license-waiting_100001.csv', after: { filter: filterOn('seats', '>=', 1) } },
  },
  {
    operation: exportLimits,
    parts: () => ({ body: { customerNumber } }),
    wrong: { body: {} },
    entry: { target: expect.stringMatching(/^limits_100001_\d{4}-\d\d-\d\d\.csv$/), after: {} },
  },
  {
    operation: exportWebReport,
    parts: () => ({ body: { customerNumber, ...october, table: 'users' } }),
    wrong: { body: { customerNumber, ...october, table: 'nothing' } },
    entry: { target: 'web-report_users_100001_2026-10-01_2026-10-31.csv', after: { ...october, table: 'users' } },
  },
  {
    operation: getWebReportPdf,
    parts: () => ({ body: { customerNumber, ...october } }),
    wrong: { body: { customerNumber, from: '2026-10-31', to: '2026-10-01' } },
    entry: { target: 'web-report_100001_2026-10-01_2026-10-31.pdf', after: october },
  },
  {
    operation: exportLicenseUse,
    parts: () => ({ body: { customerNumber, ...october } }),
    wrong: { body: { customerNumber, ...october, filter: unknownField } },
    entry: { target: 'license_use_100001_2026-10-01_2026-10-31.csv', after: october },
  },
  {
    operation: getLicenseUsePdf,
    parts: () => ({ body: { customerNumber, ...october } }),
    wrong: { body: { customerNumber, from: '2026-10-31', to: '2026-10-01' } },
    entry: { target: 'license_use_100001_2026-10-01_2026-10-31.pdf', after: october },
  },
  {
    operation: exportOptimization,
    parts: () => ({ body: { customerNumber, ...october } }),
    wrong: { body: { customerNumber, ...october, filter: unknownField } },
    entry: { target: 'optimization_100001_2026-10-01_2026-10-31.csv', after: october },
  },
  {
    operation: getOptimizationPdf,
    parts: () => ({ body: { customerNumber, ...october } }),
    wrong: { body: { customerNumber, from: '2026-10-31', to: '2026-10-01' } },
    entry: { target: 'optimization_100001_2026-10-01_2026-10-31.pdf', after: october },
  },
  {
    operation: exportOptionsFile,
    parts: async () => ({ body: await savedOptions() }),
    wrong: { body: { ...query, serverId: '3cecef4b7d10', daemon: 'nodaemon' } },
    entry: {
      target: expect.stringMatching(/^ansyslmd_v\d+\.opt of lic-berlin-01$/),
      after: { version: expect.any(Number) },
    },
  },
  {
    operation: downloadOptionsFile,
    parts: async () => ({ query: await savedOptions() }),
    wrong: { query: { ...query, serverId: '3cecef4b7d10', daemon: 'nodaemon' } },
    entry: {
      target: 'ansyslmd on lic-berlin-01',
      after: { version: expect.any(Number), day: expect.any(String) },
    },
  },
  {
    operation: exportRenewalPlan,
    parts: async () => ({ body: { customerNumber, id: await savedPlan() } }),
    wrong: { body: { customerNumber, id: 'no-id' } },
    entry: { target: expect.stringMatching(/^renewal-plan_100001_.*\.csv$/), after: { id: expect.any(String) } },
  },
  {
    operation: getRenewalPlanPdf,
    parts: async () => ({ body: { customerNumber, id: await savedPlan() } }),
    wrong: { body: { customerNumber, id: 'no-id' } },
    entry: { target: expect.stringMatching(/^renewal-plan_100001_.*\.pdf$/), after: { id: expect.any(String) } },
  },
  {
    operation: auditList.exportCsv,
    by: ADA,
    parts: () => ({ body: { customerNumber, filter: filterOn('outcome', 'EQUALS', 'refused') } }),
    wrong: { body: { customerNumber, filter: unknownField } },
    entry: {
      target: expect.stringMatching(/^audit_100001_.*\.csv$/),
      after: { filter: filterOn('outcome', 'EQUALS', 'refused') },
    },
  },
  {
    operation: exportAuditLines,
    by: ADA,
    parts: () => ({ query: { ...query, after: '7' } }),
    wrong: { query: { ...query, after: 'x' } },
    entry: { target: expect.stringMatching(/^audit_100001_.*\.ndjson$/), after: { after: 7 } },
  },
  {
    operation: getEmailAttachment,
    parts: () => ({ params: { id: attachment, position: '1' }, query }),
    wrong: { params: { id: attachment, position: '99' }, query },
    entry: {
      target: attachment,
      after: { position: 1, name: expect.any(String) },
    },
  },
]

test.each(DOWNLOADS)('$operation.name is in the audit log with what was requested', async (download) => {
  const { operation, entry, by = VIC } = download
  const parts = await download.parts()
  const person = await portal.as(by)
  await newEntries(by)
  expect((await person(operation, parts)).status).toBe(200)
  expect(await newEntries(by)).toEqual([
    { ...entry, action: operation.name, customer_number: customerNumber, outcome: 'done' },
  ])
})

test.each(DOWNLOADS)('$operation.name leaves no entry when no file is sent', async ({ operation, wrong, by = VIC }) => {
  const person = await portal.as(by)
  await newEntries(by)
  expect((await person(operation, wrong)).status).toBeGreaterThanOrEqual(400)
  expect(await newEntries(by)).toEqual([])
})

test('every operation that answers with a file is tried here', () => {
  // Programs read metrics every few seconds: an entry each time would bury the others.
  const files = OPERATIONS.filter(
    ({ name, media }) => media && !['text/event-stream', 'text/html'].includes(media) && name !== getMetrics.name,
  )
  expect(files.map(({ name }) => name).sort()).toEqual(DOWNLOADS.map(({ operation }) => operation.name).sort())
})
