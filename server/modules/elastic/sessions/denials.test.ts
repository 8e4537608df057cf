import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Denial, denialList } from '#contract/elastic/sessions/denial-list.ts'
import { SESSION_REFUSAL_LABELS } from '#domain/elastic/sessions/session-refusal.ts'
import { ADA, type Call } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
let portal: Portal
let ada: Call
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
})
afterAll(() => portal.close())

describe('the list of denials', () => {
  test('has its reasons in plain words, which can be filtered, sorted and listed', async () => {
    const { body } = await ada(denialList.page, {
      body: { customerNumber, sorting: [{ name: 'ReasonText', direction: 'asc' }], limit: 100 },
    })
    const rows = body.data as Denial[]
    expect(rows.length).toBeGreaterThan(20)
    for (const { Reason, ReasonText } of rows)
      expect(ReasonText).toBe(SESSION_REFUSAL_LABELS[Reason as keyof typeof SESSION_REFUSAL_LABELS])
    const filter = { condition: 'ALL', criteria: [{ name: 'ReasonText', method: 'CONTAINS', value: 'not allowed' }] }
    const found = await ada(denialList.count, { body: { customerNumber, filter } })
    expect(found.body.data).toBe(rows.filter(({ ReasonText }) => ReasonText.endsWith('not allowed')).length)
    const distinct = await ada(denialList.distinct, { body: { customerNumber, key: 'ReasonText' } })
    expect(distinct.body.data).toContain('Username not allowed')
  })

  test('is exported with the columns and words of the screen, in UTC', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'Reason', method: 'EQUALS', value: 'WRONG_PIN' }] }
    const csv = await ada(denialList.exportCsv, { body: { customerNumber, filter } })
    expect(csv.headers['content-disposition']).toMatch(/filename=elastic-denials_100001_\d{4}-\d\d-\d\d\.csv/)
    const [header, ...lines] = String(csv.body.text).trimEnd().split('\r\n')
    expect(header).toBe(
      '\ufeff"Time (UTC)","Reason","Product","Count","Username","Hostname","Project","External IP","Version","License Server ID","Limit"',
    )
    const { body } = await ada(denialList.page, { body: { customerNumber, filter } })
    expect(lines).toHaveLength((body.data as unknown[]).length)
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,"Wrong license server id or PIN","/)
    const audited = await portal.db
      .selectFrom('audit_log')
      .select('target')
      .where('action', '=', 'elastic/denials/export')
      .executeTakeFirst()
    expect(audited?.target).toMatch(/^elastic-denials_100001_/)
  })

  test('answers 200, 400, 401, 403 and 404 to an export', async () => {
    const nobody = await portal.as(null)
    const ella = await portal.as('ella.export@restricted.example')
    const body = { customerNumber }
    const unknown = { condition: 'ALL', criteria: [{ name: 'bogus', method: 'EQUALS', value: 1 }] }
    expect((await ada(denialList.exportCsv, { body })).status).toBe(200)
    expect((await ada(denialList.exportCsv, { body: { ...body, filter: unknown } })).status).toBe(400)
    expect((await nobody(denialList.exportCsv, { body })).status).toBe(401)
    expect((await ella(denialList.exportCsv, { body: { customerNumber: '100004' } })).status).toBe(403)
    expect((await ella(denialList.exportCsv, { body })).status).toBe(404)
  })
})
