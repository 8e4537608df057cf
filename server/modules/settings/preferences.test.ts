import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getPreferences, savePreferences, type TablePreference } from '#contract/settings/preferences.ts'
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
}

async function save(email: string, ...tables: object[]) {
  return (await portal.as(email))(savePreferences, { body: { tables } })
}

async function viewsOf(email: string): Promise<TablePreference[]> {
  return (await (await portal.as(email))(getPreferences)).body.data as TablePreference[]
}

describe('saved views', () => {
  test('come back as they were saved, for this person alone', async () => {
    expect((await save(ADA, view)).body).toEqual({ status: 'SUCCESS', data: null })
    expect(await viewsOf(ADA)).toEqual([view])
    expect(await viewsOf(VIC)).toEqual([])
    const empty = { customerNumber: '100001', tableName: 'elasticTransaction' }
    await save(ADA, empty)
    expect(await viewsOf(ADA)).toEqual([empty])
  })

  test('of the usage table are one under either name', async () => {
    await save(VIC, { ...view, tableName: 'UsageTransactions' })
    expect(await viewsOf(VIC)).toEqual([view])
  })

  test('too large are refused', async () => {
    const filterModel = { Product: { filter: 'x'.repeat(70_000) } }
    expect((await save(VIC, { customerNumber: '100001', tableName: 'emailList', filterModel })).status).toBe(413)
  })
})

describe('access to saved views', () => {
  const refusalsOf = (email: string) =>
    portal.db
      .selectFrom('audit_log')
      .select(['customer_number', 'outcome', 'reason'])
      .where('email', '=', email)
      .where('action', '=', 'savePreferences')
      .orderBy('id')
      .execute()

  test('one unseen account refuses the whole request with 404, and the refusal is audited', async () => {
    const answer = await save(
      VIC,
      { customerNumber: '100001', tableName: 'emailList' },
      { customerNumber: '100003', tableName: 'emailList' },
      { customerNumber: '999999', tableName: 'emailList' },
    )
    expect(answer).toMatchObject({ status: 404, body: { err: 'No such account' } })
    expect((await viewsOf(VIC)).map(({ tableName }) => tableName)).not.toContain('emailList')
    expect(await refusalsOf(VIC)).toEqual([
      { customer_number: '100003', outcome: 'refused', reason: 'No such account' },
      { customer_number: '999999', outcome: 'refused', reason: 'No such account' },
    ])
  })

  test('an export-denied account is refused with 403, and the refusal is audited', async () => {
    const reason = 'Access to this customer is denied per Export Compliance restrictions.'
    const answer = await save(ELLA, { customerNumber: '100004', tableName: 'emailList' })
    expect(answer).toMatchObject({ status: 403, body: { err: reason } })
    expect(await refusalsOf(ELLA)).toEqual([{ customer_number: '100004', outcome: 'refused', reason }])
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
    expect(await viewsOf(OLIVIA)).toEqual([view])
    await setStatus('Approved')
    expect(await viewsOf(OLIVIA)).toHaveLength(2)
  })
})
