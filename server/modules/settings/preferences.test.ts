import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getPreferences, savePreferences, type TablePreference } from '#contract/settings/preferences.ts'
import { TABLE_NAMES } from '#contract/settings/table-names.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const ELLA = 'ella.export@restricted.example'
const OLIVIA = 'olivia.ops@vendor.example'
let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

const view = {
  customerNumber: '100001',
  tableName: 'elasticTransaction',
  filterModel: { Product: { filterType: 'text', type: 'contains', filter: 'Fluent <script>' } },
  sortModel: [{ colId: 'StartTime', sort: 'desc', sortIndex: 0 }],
  columnOrder: ['Product', 'StartTime'],
  dateRange: '1 Month',
  activeOnly: true,
  defaultView: '0f8fad5b-d9cb-469f-a165-70867728950e',
}

async function save(email: string, ...tables: object[]) {
  return (await portal.as(email))(savePreferences, { body: { tables } })
}

async function loadViews(email: string): Promise<TablePreference[]> {
  return (await (await portal.as(email))(getPreferences)).body.data as TablePreference[]
}

describe('saved views', () => {
  test('come back as they were saved, for this person alone', async () => {
    expect((await save(ADA, view)).body).toEqual({ status: 'SUCCESS', data: null })
    expect(await loadViews(ADA)).toEqual([view])
    expect(await loadViews(VIC)).toEqual([])
    const empty = { customerNumber: '100001', tableName: 'elasticTransaction' }
    await save(ADA, empty)
    expect(await loadViews(ADA)).toEqual([empty])
  })

  test('views of the usage table are the same under both of its names', async () => {
    await save(VIC, { ...view, tableName: 'UsageTransactions' })
    expect(await loadViews(VIC)).toEqual([view])
  })

  test('views of an unknown table are refused with its name, and none of the others is saved', async () => {
    const answer = await save(
      VIC,
      { customerNumber: '100001', tableName: 'emailList' },
      { customerNumber: '100001', tableName: 'shoppingList' },
    )
    expect(answer).toMatchObject({ status: 400, body: { err: "Unknown table 'shoppingList'" } })
    expect((await loadViews(VIC)).map(({ tableName }) => tableName)).not.toContain('emailList')
  })

  test('views of a table that is named twice in a request are saved as the last one', async () => {
    const twice = [
      { ...view, dateRange: '5 Days' },
      { ...view, tableName: 'UsageTransactions' },
    ]
    expect((await save(ADA, ...twice)).status).toBe(200)
    expect(await loadViews(ADA)).toEqual([view])
  })

  test('saved at the same time in opposite orders are all saved', async () => {
    const tables = TABLE_NAMES.map((tableName) => ({ customerNumber: '100001', tableName, activeOnly: true }))
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => save(ADA, ...(at % 2 ? tables : tables.toReversed()))),
    )
    const statuses = Object.groupBy(answers, ({ status }) => status)
    expect(Object.keys(statuses)).toEqual(['200'])
    expect(await loadViews(ADA)).toHaveLength(TABLE_NAMES.length)
  })

  test('views that are too large are refused', async () => {
    const filterModel = { Product: { filter: 'x'.repeat(70_000) } }
    expect((await save(VIC, { customerNumber: '100001', tableName: 'emailList', filterModel })).status).toBe(413)
  })
})

describe('the limits of saved views', () => {
  const SUPPORT = 'sam.support@vendor.example'
  let accounts: string[]
  beforeAll(async () => {
    const rows = await portal.db
      .selectFrom('account')
      .select('customer_number')
      .where('export_control_status', 'in', ['', 'Approved'])
      .orderBy('customer_number')
      .limit(40)
      .execute()
    accounts = rows.map((row) => row.customer_number)
  })

  const viewAt = (at: number, content: object) => ({
    customerNumber: accounts[Math.floor(at / TABLE_NAMES.length)],
    tableName: TABLE_NAMES[at % TABLE_NAMES.length],
    ...content,
  })
  const viewsFrom = (start: number, count: number, content: object) =>
    Array.from({ length: count }, (_, at) => viewAt(start + at, content))
  const FILLED = { activeOnly: true }
  const EMPTY = {}

  test('a person keeps 200 views; the request that would exceed them is refused as a whole', async () => {
    for (const start of [0, 50, 100]) expect((await save(SUPPORT, ...viewsFrom(start, 50, FILLED))).status).toBe(200)
    expect((await save(SUPPORT, ...viewsFrom(150, 49, FILLED))).status).toBe(200)
    const answer = await save(SUPPORT, ...viewsFrom(198, 3, FILLED))
    expect(answer).toMatchObject({ status: 413, body: { err: expect.stringContaining('at most 200 saved views') } })
    expect(await loadViews(SUPPORT)).toHaveLength(199)
    expect((await save(SUPPORT, ...viewsFrom(198, 2, FILLED))).status).toBe(200)
    expect((await save(SUPPORT, viewAt(200, EMPTY))).status).toBe(413)
    // A view that is there already can still change.
    expect((await save(SUPPORT, ...viewsFrom(150, 50, { activeOnly: false }))).status).toBe(200)
    expect(await loadViews(SUPPORT)).toHaveLength(200)
  })

  test('a view that was reset makes room for another', async () => {
    expect((await save(SUPPORT, viewAt(300, FILLED))).status).toBe(413)
    await save(SUPPORT, viewAt(199, EMPTY))
    expect((await save(SUPPORT, viewAt(300, FILLED))).status).toBe(200)
    expect(await loadViews(SUPPORT)).toHaveLength(200)
    expect((await save(SUPPORT, viewAt(301, FILLED))).status).toBe(413)
  })

  test('requests at the same time cannot exceed the limit together', async () => {
    const first = await portal.db
      .deleteFrom('table_preference')
      .where('email', '=', SUPPORT)
      .where('customer_number', '=', accounts[0] ?? '')
      .executeTakeFirst()
    const tooMany = TABLE_NAMES.length + 5
    const answers = await Promise.all(
      Array.from({ length: tooMany }, (_, at) => save(SUPPORT, viewAt(310 + at, FILLED))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(Number(first.numDeletedRows))
    expect(await loadViews(SUPPORT)).toHaveLength(200)
  })

  test('a person keeps 1 MB of views', async () => {
    const SALES = 'sara.sales@vendor.example'
    const filterModel = { Product: { filter: 'x'.repeat(60_000) } }
    expect((await save(SALES, ...viewsFrom(0, 15, { filterModel }))).status).toBe(200)
    expect((await save(SALES, viewAt(15, { filterModel }), viewAt(16, { filterModel }))).status).toBe(200)
    const answer = await save(SALES, viewAt(17, FILLED), viewAt(18, { filterModel }))
    expect(answer).toMatchObject({ status: 413, body: { err: expect.stringContaining('1 MB') } })
    expect(await loadViews(SALES)).toHaveLength(17)
  })
})

describe('access to saved views', () => {
  const listRefusals = (email: string) =>
    portal.db
      .selectFrom('audit_log')
      .select(['customer_number', 'outcome', 'reason'])
      .where('email', '=', email)
      .where('action', '=', 'savePreferences')
      .where('outcome', '=', 'refused')
      // Not what was too large or unknown.
      .where('reason', 'in', [
        'No such account',
        'Access to this customer is denied per Export Compliance restrictions.',
      ])
      .orderBy('id')
      .execute()

  test('one unseen account refuses the whole request with 404, and the refusal is audited', async () => {
    const before = await loadViews(VIC)
    const answer = await save(
      VIC,
      { customerNumber: '100001', tableName: 'emailList' },
      { customerNumber: '100003', tableName: 'emailList' },
      { customerNumber: '999999', tableName: 'emailList' },
    )
    expect(answer).toMatchObject({ status: 404, body: { err: 'No such account' } })
    expect(await loadViews(VIC)).toEqual(before)
    expect(await listRefusals(VIC)).toEqual([
      { customer_number: '100003', outcome: 'refused', reason: 'No such account' },
      { customer_number: '999999', outcome: 'refused', reason: 'No such account' },
    ])
  })

  test('an export-denied account is refused with 403, and the refusal is audited', async () => {
    const reason = 'Access to this customer is denied per Export Compliance restrictions.'
    const answer = await save(ELLA, { customerNumber: '100004', tableName: 'emailList' })
    expect(answer).toMatchObject({ status: 403, body: { err: reason } })
    expect(await listRefusals(ELLA)).toEqual([{ customer_number: '100004', outcome: 'refused', reason }])
  })

  test('saving needs a session', async () => {
    const nobody = await portal.as(null)
    expect((await nobody(savePreferences, { body: { tables: [view] } })).status).toBe(401)
    expect((await nobody(getPreferences)).status).toBe(401)
  })

  test('views of an account that was export-denied later are hidden until it is approved again', async () => {
    await save(OLIVIA, view, { customerNumber: '100003', tableName: 'emailList' })
    const setStatus = (status: string) =>
      portal.db
        .updateTable('account')
        .set({ export_control_status: status })
        .where('customer_number', '=', '100003')
        .execute()
    await setStatus('Denied')
    expect(await loadViews(OLIVIA)).toEqual([view])
    await setStatus('Approved')
    expect(await loadViews(OLIVIA)).toHaveLength(2)
  })
})
