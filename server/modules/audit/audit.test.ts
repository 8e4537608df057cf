import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AUDIT_EXPORT,
  type AuditRow,
  auditList,
  exportAuditLines,
  listAuditCheckpoints,
  startAuditExport,
  type WireCheckpoint,
} from '#contract/audit/audit.ts'
import { getPin } from '#contract/elastic/credentials/credentials.ts'
import { downloadTask, getTask, type Task } from '#contract/tasks/tasks.ts'
import { rollToken } from '#contract/tokens/tokens.ts'
import { saveWebhook } from '#contract/webhooks/webhooks.ts'
import type { AuditLine } from '#domain/audit/audit-line.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const ADA = 'ada.admin@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const customerNumber = '100001'

let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
let vic: Awaited<ReturnType<Portal['as']>>
let olivia: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  vic = await portal.as(VIC)
  olivia = await portal.as(OLIVIA)
})
afterAll(() => portal.close())

const page = async (body: object, call = ada) => (await call(auditList.page, { body })).body.data as AuditRow[]
const only = (name: string, value: unknown) => ({
  condition: 'ALL' as const,
  criteria: [{ name, method: 'EQUALS', value }],
})
async function linesOf(query: Record<string, string>, call = ada): Promise<AuditLine[]> {
  const answer = await call(exportAuditLines, { query })
  expect(answer.status).toBe(200)
  return (answer.body.text as string)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditLine)
}
const readPin = () => ada(getPin, { body: { customerNumber, clsId: elasticServerId(customerNumber) } })

describe('the audit log', () => {
  test('has what was done with its words, address and program, and is sealed within seconds', async () => {
    await readPin()
    const find = () => page({ customerNumber, filter: only('action', 'getpin'), limit: 1 })
    const [row] = await find()
    expect(row).toMatchObject({
      actor: ADA,
      actorKind: 'person',
      action: 'getpin',
      text: `Read the PIN of ${elasticServerId(customerNumber)}`,
      target: elasticServerId(customerNumber),
      address: '127.0.0.1',
      program: expect.stringContaining('lightMyRequest'),
      outcome: 'done',
    })
    await until(async () => (await find())[0]?.sequence != null, 'the row is never sealed')
    expect((await find())[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('has refusals with their reason', async () => {
    expect((await vic(auditList.page, { body: { customerNumber } })).status).toBe(403)
    const [row] = await page({ customerNumber, filter: only('outcome', 'refused'), limit: 1 })
    expect(row).toMatchObject({
      actor: VIC,
      action: 'audit',
      text: expect.stringMatching(/^Refused: A page of the audit log.*enough permissions/),
    })
  })

  test('has what a rule refuses, once, with and without an Idempotency-Key', async () => {
    const url = 'https://169.254.169.254/'
    for (const headers of [undefined, { 'idempotency-key': 'refused' }])
      expect(
        (await ada(saveWebhook, { body: { customerNumber, url, events: [] }, ...(headers && { headers }) })).status,
      ).toBe(400)
    const { id } = await giveApiToken(portal, { days: 1, createdDaysAgo: 2 })
    for (const headers of [undefined, { 'idempotency-key': 'ended' }])
      expect(
        (await ada(rollToken, { body: { customerNumber, id, days: 1 }, ...(headers && { headers }) })).body.code,
      ).toBe('TOKEN_NOT_ACTIVE')
    const refused = async (action: string) =>
      (await page({ customerNumber, filter: only('action', action) })).map(({ outcome, text }) => [outcome, text])
    expect(await refused('webhooks/save')).toEqual([
      ['refused', expect.stringMatching(/^Refused to save a webhook\. .*public/)],
      ['refused', expect.stringMatching(/^Refused to save a webhook\. .*public/)],
    ])
    expect(await refused('tokens/roll')).toEqual([
      ['refused', expect.stringMatching(/^Refused to roll a token\. This token is expired/)],
      ['refused', expect.stringMatching(/^Refused to roll a token\. This token is expired/)],
    ])
  })

  test('names the token that acted, in the list, as CSV and as NDJSON', async () => {
    const { id, headers } = await giveApiToken(portal)
    const nobody = await portal.as(null)
    expect((await nobody(auditList.exportCsv, { body: { customerNumber }, headers })).status).toBe(200)
    const credential = `a test (${id})`
    const filter = only('credential', credential)
    const find = () => page({ customerNumber, filter })
    expect(await find()).toMatchObject([{ actor: ADA, actorKind: 'token', credential }])
    expect((await ada(auditList.exportCsv, { body: { customerNumber, filter } })).body.text).toContain(credential)
    await until(async () => (await find())[0]?.sequence != null, 'the row is never sealed')
    const lines = await linesOf({ customerNumber })
    expect(lines.filter((line) => line.credential === credential)).toHaveLength(1)
    expect(lines.some((line) => !('credential' in line))).toBe(true)
  })

  test('of what concerns no account is for staff', async () => {
    expect((await page({}, olivia)).map(({ action }) => action)).toContain('sign-in')
    for (const person of [ada, vic]) expect((await person(auditList.page, { body: {} })).status).toBe(403)
    expect((await ada(exportAuditLines, { query: {} })).status).toBe(403)
    expect((await ada(listAuditCheckpoints, { query: {} })).status).toBe(403)
    expect((await ada(auditList.exportCsv, { body: {} })).status).toBe(403)
    await until(async () => (await linesOf({}, olivia)).length > 0, 'nothing is ever sealed')
    expect((await linesOf({}, olivia)).every((line) => line.customerNumber === '')).toBe(true)
    expect((await olivia(auditList.exportCsv, { body: {} })).status).toBe(200)
  })

  test('keeps the program of a caller short and on one line', async () => {
    await writeAudit(
      portal.db,
      {
        at: portal.clock.now(),
        email: ADA,
        principal: 'token',
        address: '127.0.0.1',
        requestId: 'r',
        program: `a\u202eb\n${'x'.repeat(500)}`,
      },
      { action: 'setreminders', customerNumber },
    )
    const [row] = await page({ customerNumber, filter: only('actorKind', 'token') })
    expect(row?.program).toBe(`ab ${'x'.repeat(197)}`)
  })
})

describe('calls that cannot be answered', () => {
  const wrong = { customerNumber, filter: only('nothing', 1) }
  test('are refused with 400', async () => {
    for (const operation of [
      auditList.page,
      auditList.count,
      auditList.distinct,
      auditList.exportCsv,
      startAuditExport,
    ])
      expect((await ada(operation, { body: wrong })).status).toBe(400)
    for (const operation of [exportAuditLines, listAuditCheckpoints])
      expect((await ada(operation, { query: { customerNumber, after: '-1', surprise: '1' } })).status).toBe(400)
    expect((await ada(exportAuditLines, { query: { customerNumber, after: 'x' } })).status).toBe(400)
  })

  test.each([
    ['nobody', null, 401, customerNumber],
    ['a viewer', VIC, 403, customerNumber],
    ['somebody of another account', ADA, 404, '100003'],
    ['anybody, of an account that does not exist', OLIVIA, 404, '999999'],
  ])('of %s', async (_, email, status, number) => {
    const person = await portal.as(email)
    for (const operation of [
      auditList.page,
      auditList.count,
      auditList.distinct,
      auditList.exportCsv,
      startAuditExport,
    ])
      expect((await person(operation, { body: { customerNumber: number } })).status).toBe(status)
    for (const operation of [exportAuditLines, listAuditCheckpoints])
      expect((await person(operation, { query: { customerNumber: number } })).status).toBe(status)
  })
})

describe('an export', () => {
  test('as NDJSON has every sealed row once, continues after a sequence, and is in the log', async () => {
    await readPin()
    const all = await linesOf({ customerNumber })
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1))
    expect(all.every((line, index) => index === 0 || line.previousHash === all[index - 1]?.hash)).toBe(true)
    const middle = Math.floor(all.length / 2)
    const rest = await linesOf({ customerNumber, after: String(middle) })
    expect(rest[0]).toEqual(all[middle])
    expect(await linesOf({ customerNumber, after: '1000000' })).toEqual([])
    const [row] = await page({ customerNumber, filter: only('action', 'audit/lines'), limit: 1 })
    expect(row?.text).toMatch(/^Downloaded the audit log: audit_100001_.*\.ndjson$/)
  })

  test('as CSV has the columns of the screen', async () => {
    const { status, body } = await ada(auditList.exportCsv, {
      body: { customerNumber, filter: only('action', 'getpin') },
    })
    expect(status).toBe(200)
    expect(body.text).toContain('"Sequence","Time (UTC)","Who","Kind","Token or key","What"')
    expect(body.text).toContain('Read the PIN of')
  })

  test('in the background makes the same file', async () => {
    const started = await ada(startAuditExport, { body: { customerNumber, filter: only('action', 'getpin') } })
    const { id, kind } = started.body.data as Task
    expect(kind).toBe(AUDIT_EXPORT)
    const query = { customerNumber }
    const state = async () => ((await ada(getTask, { params: { id }, query })).body.data as Task).state
    await until(async () => (await state()) === 'ready', 'the export is never ready')
    expect((await ada(downloadTask, { params: { id }, query })).body.text).toContain('Read the PIN of')
  })
})

test('checkpoints are signed, and carry the public key', async () => {
  const { body } = await ada(listAuditCheckpoints, { query: { customerNumber } })
  const [first] = body.data as WireCheckpoint[]
  const lines = await linesOf({ customerNumber })
  expect(first).toMatchObject({ customerNumber, hash: lines[(first?.sequence ?? 0) - 1]?.hash })
  expect(first?.publicKey).toMatch(/^MCowBQYDK2Vw/)
})
