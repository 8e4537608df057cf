import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as review from '#contract/access-review/access-review.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { createCalendarFeed } from '#contract/reminders/reminders.ts'
import { getPortalAccess as getContacts } from '#contract/settings/portal-access.ts'
import { createToken } from '#contract/tokens/tokens.ts'
import { saveWebhook } from '#contract/webhooks/webhooks.ts'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { MAX_DECIDED } from '#domain/access-review/decision.ts'
import { ADA, type Call, OLIVIA, VIC } from '#server/testing/activations.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'
import { addWebAccount, userOf } from '#server/testing/web-licenses.ts'

const NO_ID = '00000000-0000-4000-8000-000000000000'
const CORA = 'cora.coordinator@aerodyne.example'
const DAY = 86_400_000
const VERIFIER = path.resolve('examples/access-review-verifier/verify.mjs')

let portal: Portal
let ada: Call
let cora: Call
let olivia: Call
let vic: Call
let nobody: Call
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  cora = await portal.as(CORA)
  olivia = await portal.as(OLIVIA)
  vic = await portal.as(VIC)
  nobody = await portal.as(null)
})
afterAll(() => portal.close())

type Row = { id: string; kind: string; name: string; decision: string; revision: number; isUnused: boolean } & Record<
  string,
  unknown
>
type State = { review: { id: string; dueOn: string; open: number } | null; nextOpening: string | null }
type Outcome = { id: string; status: string; code?: string; decision: string; revision: number }

let accounts = 0
/** An account with two administrators, a viewer and four web users, all of them new. */
async function newAccount(timeZone = 'UTC'): Promise<string> {
  accounts += 1
  const customerNumber = `AR-${accounts}`
  await addWebAccount(portal.db, customerNumber, [], timeZone)
  const now = portal.clock.now()
  await portal.db.updateTable('contact').set({ added_at: now }).where('customer_number', '=', customerNumber).execute()
  await portal.db.updateTable('web_user').set({ added_at: now }).where('customer_number', '=', customerNumber).execute()
  await addContact(customerNumber, CORA, ADMINISTRATOR)
  return customerNumber
}
const addContact = (customer_number: string, email: string, role: typeof ADMINISTRATOR | typeof VIEWER) =>
  portal.db
    .insertInto('contact')
    .values({ customer_number, email, role, added_at: portal.clock.now(), added_by: ADA })
    .execute()

const about = (customerNumber: string, more: object = {}) => ({ body: { customerNumber, ...more } })
const openOn = async (customerNumber: string, by: Call = ada): Promise<string> => {
  const { body } = await by(review.openReview, about(customerNumber))
  expect(body).toMatchObject({ status: 'SUCCESS' })
  return (body.data as { id: string }).id
}
const rowsOf = async (customerNumber: string, more: object = {}): Promise<Row[]> =>
  (await ada(review.accessList.page, about(customerNumber, { limit: 1000, ...more }))).body.data as Row[]
const stateOf = async (customerNumber: string) =>
  (await ada(review.getReviewState, about(customerNumber))).body.data as State

type Wanted = {
  readonly act?: string
  readonly reason?: string
  readonly revision?: number
  readonly withEverything?: boolean
}
const decide = (
  by: Call,
  customerNumber: string,
  reviewId: string,
  ids: readonly string[],
  { act = 'keep', reason = act === 'keep' ? '' : 'Left the company', revision = 1, ...more }: Wanted = {},
) =>
  by(
    review.decideAccess,
    about(customerNumber, { reviewId, act, reason, ...more, entries: ids.map((id) => ({ id, revision })) }),
  )
const takeAway = (by: Call, customerNumber: string, reviewId: string, ids: readonly string[]) =>
  decide(by, customerNumber, reviewId, ids, { act: 'take-away' })
const outcomesOf = (answer: { body: Record<string, unknown> }) => answer.body.data as Outcome[]

const finish = (customerNumber: string, reviewId: string) =>
  ada(review.finishReview, about(customerNumber, { reviewId }))
const mailsOf = async (customerNumber: string) => {
  const rows = await portal.db
    .selectFrom('mail')
    .select(['recipients', 'subject'])
    .where('customer_number', '=', customerNumber)
    .orderBy('queued_at')
    .execute()
  return rows.map(({ recipients, subject }) => ({ to: [...recipients].sort(), subject }))
}
const contactsOf = async (customerNumber: string) => {
  const rows = await portal.db
    .selectFrom('contact')
    .select('email')
    .where('customer_number', '=', customerNumber)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}

describe('what has access', () => {
  test('is every contact, web user, grant, token, calendar address and webhook, with role, source and last use', async () => {
    const customerNumber = await newAccount()
    await portal.db
      .insertInto('account_grant')
      .values({
        customer_number: customerNumber,
        email: 'saul.access@partner.example',
        kind: 'sales-access',
        granted_by: OLIVIA,
      })
      .execute()
    const made = { ...about(customerNumber).body, name: '<script>alert(1)</script>' }
    await ada(createToken, { body: { ...made, scopes: ['usage:read'], days: 30 } })
    await ada(createCalendarFeed, { body: { ...about(customerNumber).body, name: 'Team calendar' } })
    await olivia(saveWebhook, {
      body: { ...about(customerNumber).body, url: 'https://hooks.example.com/review', events: ['contact.added'] },
    })
    const rows = await rowsOf(customerNumber)
    expect(rows.map(({ kind }) => kind).sort()).toEqual(
      [
        ...Array.from({ length: 3 }, () => 'contact'),
        ...Array.from({ length: 4 }, () => 'web-user'),
        ...['calendar', 'grant', 'token', 'webhook'],
      ].sort(),
    )
    const of = (kind: string) => rows.find((row) => row.kind === kind)
    expect(rows.find(({ id }) => id === `contact:${CORA}`)).toMatchObject({
      name: CORA,
      role: 'Administrator',
      source: 'hand',
      givenBy: ADA,
      decision: 'open',
      isUnused: false,
    })
    expect(rows.find(({ id }) => id === `contact:${VIC}`)).toMatchObject({ source: 'unknown', givenBy: null })
    expect(of('grant')).toMatchObject({ role: 'Sales access', source: 'staff', givenBy: OLIVIA })
    expect(of('token')).toMatchObject({
      name: '<script>alert(1)</script>',
      holder: ADA,
      lastUsed: null,
      source: 'hand',
    })
    expect(of('calendar')).toMatchObject({ name: 'Team calendar', holder: ADA })
    expect(of('webhook')).toMatchObject({
      name: 'https://hooks.example.com/review',
      role: '1 kind of events',
      source: 'staff',
    })
  })

  test('is used by those who opened the account, not by those who signed in for another one', async () => {
    const customerNumber = await newAccount()
    await portal.db
      .insertInto('recent_account')
      .values({ customer_number: customerNumber, email: CORA, opened_at: portal.clock.now() })
      .execute()
    const used = new Map((await rowsOf(customerNumber)).map((row) => [row.id, row.lastUsed]))
    expect(used.get(`contact:${CORA}`)).toBe(portal.clock.now().toISOString())
    expect(used.get(`contact:${VIC}`)).toBeNull()
  })

  test('has what nobody has used for 90 days on top, and can be filtered, sorted and exported', async () => {
    const customerNumber = await newAccount()
    const long = new Date(portal.clock.now().getTime() - 200 * DAY)
    await portal.db
      .updateTable('contact')
      .set({ added_at: long })
      .where('customer_number', '=', customerNumber)
      .where('email', '=', VIC)
      .execute()
    const rows = await rowsOf(customerNumber)
    expect(rows[0]).toMatchObject({ id: `contact:${VIC}`, isUnused: true })
    expect(rows.filter(({ isUnused }) => isUnused)).toHaveLength(1)
    const filter = { condition: 'ALL', criteria: [{ name: 'kind', method: 'EQUALS', value: 'web-user' }] }
    expect((await rowsOf(customerNumber, { filter })).map(({ id }) => id)).toEqual(
      ['ann', 'bob', 'cid', 'dan'].map((name) => `web-user:${userOf(name)}`),
    )
    const count = await ada(review.accessList.count, about(customerNumber, { filter }))
    expect(count.body.data).toBe(4)
    const kinds = await ada(review.accessList.distinct, about(customerNumber))
    expect(kinds.body.data).toEqual(['contact', 'web-user'])
    const csv = await ada(review.accessList.exportCsv, about(customerNumber, { filter }))
    expect(String(csv.body.text).trim().split('\r\n')).toHaveLength(5)
  })
})

describe('a review', () => {
  test('keeps and takes away, one by one and in bulk, and each has its own outcome', async () => {
    const customerNumber = await newAccount()
    const reviewId = await openOn(customerNumber)
    const kept = await decide(ada, customerNumber, reviewId, [`contact:${ADA}`, `contact:${CORA}`])
    expect(outcomesOf(kept).map(({ status, decision }) => [status, decision])).toEqual([
      ['SUCCESS', 'kept'],
      ['SUCCESS', 'kept'],
    ])
    const taken = await takeAway(ada, customerNumber, reviewId, [
      `contact:${VIC}`,
      `web-user:${userOf('ann')}`,
      `web-user:${userOf('bob')}`,
      'web-user:never.was@web.example',
    ])
    expect(outcomesOf(taken).map(({ status, code, decision }) => [status, code ?? decision])).toEqual([
      ['SUCCESS', 'taken-away'],
      ['SUCCESS', 'taken-away'],
      ['SUCCESS', 'taken-away'],
      ['FAILURE', 'NOT_FOUND'],
    ])
    expect(await contactsOf(customerNumber)).toEqual([ADA, CORA])
    expect((await rowsOf(customerNumber)).map(({ id }) => id)).not.toContain(`web-user:${userOf('ann')}`)
    const entries = await rowsOf(customerNumber, { reviewId })
    expect(entries.find(({ id }) => id === `contact:${VIC}`)).toMatchObject({
      decision: 'taken-away',
      decidedBy: ADA,
      reason: 'Left the company',
      revision: 2,
    })
    const audit = await portal.db
      .selectFrom('audit_log')
      .select(['target', 'text'])
      .where('customer_number', '=', customerNumber)
      .where('action', '=', 'access-review/decide')
      .orderBy('id')
      .execute()
    expect(audit.map(({ text }) => text)).toEqual([
      'Kept 2 accesses',
      `Took away the Viewer ${VIC}: Left the company`,
      `Took away the web user ${userOf('ann')}: Left the company`,
      `Took away the web user ${userOf('bob')}: Left the company`,
    ])
  })

  test('ends tokens, calendar addresses, webhooks and grants at once', async () => {
    const customerNumber = await newAccount()
    const { headers } = await giveApiToken(portal, { customerNumber, owner: ADA, days: 30 })
    await ada(createCalendarFeed, { body: { ...about(customerNumber).body, name: 'Team calendar' } })
    await ada(saveWebhook, {
      body: { ...about(customerNumber).body, url: 'https://hooks.example.com/gone', events: ['contact.added'] },
    })
    await portal.db
      .insertInto('account_grant')
      .values({
        customer_number: customerNumber,
        email: 'saul.access@partner.example',
        kind: 'sales-access',
        granted_by: OLIVIA,
      })
      .execute()
    const contacts = () => nobody(getContacts, { headers, body: { customerNumber } })
    expect((await contacts()).status).toBe(200)
    const reviewId = await openOn(customerNumber)
    const entries = await rowsOf(customerNumber, { reviewId })
    const programs = entries.filter(({ kind }) => ['token', 'calendar', 'webhook'].includes(kind)).map(({ id }) => id)
    expect(outcomesOf(await takeAway(ada, customerNumber, reviewId, programs)).map(({ decision }) => decision)).toEqual(
      ['taken-away', 'taken-away', 'taken-away'],
    )
    expect((await contacts()).status).toBe(401)
    const grant = 'grant:sales-access:saul.access@partner.example'
    expect((await takeAway(ada, customerNumber, reviewId, [grant])).body).toMatchObject({ code: 'NOT_ALLOWED' })
    expect(outcomesOf(await takeAway(olivia, customerNumber, reviewId, [grant]))[0]).toMatchObject({
      decision: 'taken-away',
    })
    expect((await rowsOf(customerNumber)).filter(({ kind }) => !['contact', 'web-user'].includes(kind))).toEqual([])
  })

  test('takes away neither the own access nor the last administrator', async () => {
    const customerNumber = await newAccount()
    const reviewId = await openOn(customerNumber)
    expect((await takeAway(ada, customerNumber, reviewId, [`contact:${ADA}`])).body).toMatchObject({
      status: 'FAILURE',
      code: 'OWN_ACCESS',
    })
    const both = await takeAway(olivia, customerNumber, reviewId, [`contact:${ADA}`, `contact:${CORA}`])
    expect(outcomesOf(both).map(({ status, code }) => code ?? status)).toEqual(['SUCCESS', 'LAST_ADMINISTRATOR'])
    expect(await contactsOf(customerNumber)).toEqual([CORA, VIC])
  })

  test('leaves the Support Coordinator to business operations', async () => {
    const customerNumber = await newAccount()
    await portal.db
      .updateTable('contact')
      .set({ role: SUPPORT_COORDINATOR })
      .where('customer_number', '=', customerNumber)
      .where('email', '=', CORA)
      .execute()
    const reviewId = await openOn(customerNumber)
    expect((await takeAway(ada, customerNumber, reviewId, [`contact:${CORA}`])).body).toMatchObject({
      code: 'NOT_ALLOWED',
    })
    expect((await takeAway(olivia, customerNumber, reviewId, [`contact:${CORA}`])).status).toBe(200)
  })

  test('ends everything that a person has with one decision, on wish', async () => {
    const customerNumber = await newAccount()
    await addContact(customerNumber, userOf('ann'), VIEWER)
    const { headers } = await giveApiToken(portal, {
      customerNumber,
      owner: userOf('ann'),
      days: 30,
      scopes: ['access:read'],
    })
    await portal.db
      .insertInto('calendar_feed')
      .values({
        customer_number: customerNumber,
        id: randomUUID(),
        name: 'Of Ann',
        secret_hash: Buffer.alloc(32, 1),
        created_by: userOf('ann'),
        created_at: portal.clock.now(),
      })
      .execute()
    const reviewId = await openOn(customerNumber)
    const contact = `contact:${userOf('ann')}`
    const answer = await decide(ada, customerNumber, reviewId, [contact, `contact:${ADA}`], {
      act: 'take-away',
      withEverything: true,
    })
    expect(outcomesOf(answer).map(({ id, status, code }) => [id.split(':')[0], code ?? status])).toEqual([
      ['contact', 'SUCCESS'],
      ['contact', 'OWN_ACCESS'],
      ...['calendar', 'token', 'web-user'].map((kind) => [kind, 'SUCCESS']).sort(),
    ])
    expect((await rowsOf(customerNumber)).filter(({ holder }) => holder === userOf('ann'))).toEqual([])
    const decided = (await rowsOf(customerNumber, { reviewId })).filter(({ holder }) => holder === userOf('ann'))
    expect(decided.map(({ decision, reason }) => `${decision}: ${reason}`)).toEqual(
      Array.from({ length: 4 }, () => 'taken-away: Left the company'),
    )
    expect((await nobody(getContacts, { headers, body: { customerNumber } })).status).toBe(401)
  })

  test('shows whom the identity provider manages, and leaves taking them away to it', async () => {
    const customerNumber = await newAccount()
    await portal.db
      .insertInto('scim_user')
      .values({
        customer_number: customerNumber,
        user_name: userOf('bob'),
        user_name_key: userOf('bob'),
        external_id: null,
        display_name: null,
        email: userOf('bob'),
        is_active: true,
        department: null,
        cost_center: null,
        attributes: '{}',
        created_at: portal.clock.now(),
        changed_at: portal.clock.now(),
      })
      .execute()
    const reviewId = await openOn(customerNumber)
    const id = `web-user:${userOf('bob')}`
    expect((await rowsOf(customerNumber, { reviewId })).find((row) => row.id === id)).toMatchObject({ source: 'scim' })
    expect((await takeAway(ada, customerNumber, reviewId, [id])).body).toMatchObject({ code: 'NOT_ALLOWED' })
    expect(outcomesOf(await decide(ada, customerNumber, reviewId, [id]))[0]).toMatchObject({ decision: 'kept' })
  })

  test('names what had ended already, and what was kept can still be taken away', async () => {
    const customerNumber = await newAccount()
    const reviewId = await openOn(customerNumber)
    const user = `web-user:${userOf('cid')}`
    await decide(ada, customerNumber, reviewId, [user])
    await portal.db
      .deleteFrom('web_user')
      .where('customer_number', '=', customerNumber)
      .where('email', '=', userOf('cid'))
      .execute()
    const gone = await decide(ada, customerNumber, reviewId, [user], { act: 'take-away', revision: 2 })
    expect(outcomesOf(gone)[0]).toMatchObject({ decision: 'gone', revision: 3 })
    const again = await decide(ada, customerNumber, reviewId, [user], { act: 'take-away', revision: 3 })
    expect(again.body).toMatchObject({ status: 'FAILURE', code: 'ALREADY_ENDED' })
  })

  test('of two people who decide at once, the second is told what the first has done', async () => {
    const customerNumber = await newAccount()
    const reviewId = await openOn(customerNumber)
    const id = `contact:${VIC}`
    const answers = await Promise.all([
      decide(ada, customerNumber, reviewId, [id]),
      takeAway(cora, customerNumber, reviewId, [id]),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'STALE',
      data: { current: { id, revision: 2 }, yours: { id } },
    })
    const many = await decide(ada, customerNumber, reviewId, [id, `contact:${ADA}`])
    expect(outcomesOf(many).map(({ status, code }) => code ?? status)).toEqual(['STALE', 'SUCCESS'])
  })

  test('of two administrators who take away each other at once, one stays', async () => {
    const customerNumber = await newAccount()
    const reviewId = await openOn(customerNumber)
    await Promise.all([
      takeAway(ada, customerNumber, reviewId, [`contact:${CORA}`]),
      takeAway(cora, customerNumber, reviewId, [`contact:${ADA}`]),
    ])
    const left = await contactsOf(customerNumber)
    expect(left.filter((email) => email !== VIC)).toHaveLength(1)
  })

  test('is open once on an account, whoever opens it', async () => {
    const customerNumber = await newAccount()
    // Not Ada, whose reviews of this hour have sent as many mails as one person may cause.
    const answers = await Promise.all([cora, olivia, cora].map((by) => by(review.openReview, about(customerNumber))))
    expect(answers.map(({ body }) => body.code ?? body.status).sort()).toEqual([
      'REVIEW_OPEN',
      'REVIEW_OPEN',
      'SUCCESS',
    ])
    expect(await mailsOf(customerNumber)).toEqual([
      { to: [ADA, CORA], subject: expect.stringContaining(`Review who has access to ${customerNumber}`) },
    ])
  })

  test('is on Home of those who decide until it is finished', async () => {
    const customerNumber = await newAccount()
    const reviewId = await openOn(customerNumber)
    const home = async (by: Call) =>
      ((await by(getAccountHome, about(customerNumber))).body.data as { matters: { kind: string; count: number }[] })
        .matters
    expect((await home(ada)).find(({ kind }) => kind === 'ACCESS_UNDECIDED')).toMatchObject({ count: 7 })
    expect((await home(vic)).map(({ kind }) => kind)).not.toContain('ACCESS_UNDECIDED')
    const ids = (await rowsOf(customerNumber, { reviewId })).map(({ id }) => id)
    await decide(ada, customerNumber, reviewId, ids)
    expect((await home(ada)).map(({ kind }) => kind)).toContain('REVIEW_UNFINISHED')
    await finish(customerNumber, reviewId)
    expect((await home(ada)).map(({ kind }) => kind)).not.toContain('REVIEW_UNFINISHED')
  })
})

describe('a finished review', () => {
  const files = async (customerNumber: string, reviewId: string) => {
    const load = (operation: Operation) => ada(operation, about(customerNumber, { reviewId }))
    await until(
      async () => (await load(review.getReviewSignature)).body.code !== 'FILES_NOT_READY',
      'the files are never made',
    )
    const [pdf, csv, signature] = [
      await load(review.getReviewPdf),
      await load(review.getReviewCsv),
      await load(review.getReviewSignature),
    ]
    return { pdf, csv, signature }
  }

  test('has a PDF and a CSV of every decision, whose signature can be verified without the portal', async () => {
    const customerNumber = await newAccount('Asia/Tokyo')
    await addContact(customerNumber, 'eve.script@web.example', VIEWER)
    await portal.db
      .updateTable('web_user')
      .set({ email: '=cmd|calc@web.example' })
      .where('customer_number', '=', customerNumber)
      .where('email', '=', userOf('dan'))
      .execute()
    const reviewId = await openOn(customerNumber)
    expect((await ada(review.getReviewPdf, about(customerNumber, { reviewId }))).body).toMatchObject({
      code: 'FILES_NOT_READY',
    })
    await decide(ada, customerNumber, reviewId, [`contact:${ADA}`])
    await decide(ada, customerNumber, reviewId, [`contact:${VIC}`], {
      act: 'take-away',
      reason: '<script>alert("x")</script>',
    })
    await addContact(customerNumber, 'new.after@web.example', VIEWER)
    await portal.db
      .deleteFrom('web_user')
      .where('customer_number', '=', customerNumber)
      .where('email', '=', userOf('ann'))
      .execute()
    expect((await finish(customerNumber, reviewId)).body.status).toBe('SUCCESS')
    const { pdf, csv, signature } = await files(customerNumber, reviewId)

    const { lines, info } = await readPdf(pdf.body.bytes as Buffer)
    const text = lines.join('\n')
    expect(info.Title).toBe('Access review')
    expect(text).toContain('Taken away (1)')
    expect(text).toContain('Not decided: still in force (5)')
    expect(text).toContain('Gone already (1)')
    expect(text).toContain('<script>alert("x")</script>')
    expect(text).toContain('Given since the opening')
    const table = String(csv.body.text)
    expect(table.trim().split('\r\n')).toHaveLength(1 + 8)
    expect(table).toContain("'=cmd|calc@web.example")
    expect(table).toMatch(new RegExp(`"${VIC}","Contact","Viewer".*"Taken away","${ADA}",`))

    const folder = walkableDirectory('access-review')
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
    const nameOf = ({ headers }: { headers: Record<string, unknown> }) =>
      /filename="?([^";]+)/.exec(String(headers['content-disposition']))?.[1] ?? ''
    for (const answer of [pdf, csv, signature])
      fs.writeFileSync(path.join(folder, nameOf(answer)), answer.body.bytes as Buffer)
    const { publicKey } = JSON.parse(String(signature.body.text)) as { publicKey: string }
    const check = (key: string) =>
      execFileSync(process.execPath, [VERIFIER, path.join(folder, nameOf(signature)), '--key', key], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
    expect(check(publicKey)).toContain(`Genuine: the access review of account ${customerNumber}`)
    expect(() => check(`${publicKey.slice(0, -4)}AAA=`)).toThrow(/not genuine/)
    fs.appendFileSync(path.join(folder, nameOf(csv)), ' ')
    expect(() => check(publicKey)).toThrow(/was changed after it was signed/)
  })

  test('is listed with what became of it, takes no more decisions, and leaves its files as they are', async () => {
    const customerNumber = await newAccount()
    const reviewId = await openOn(customerNumber)
    await decide(ada, customerNumber, reviewId, [`contact:${ADA}`])
    await finish(customerNumber, reviewId)
    expect((await finish(customerNumber, reviewId)).body).toMatchObject({ code: 'REVIEW_CLOSED' })
    expect((await decide(ada, customerNumber, reviewId, [`contact:${VIC}`])).body).toMatchObject({
      code: 'REVIEW_CLOSED',
    })
    await files(customerNumber, reviewId)
    const { body } = await ada(review.reviewList.page, about(customerNumber))
    expect(body.data).toEqual([
      expect.objectContaining({ id: reviewId, finishedBy: ADA, kept: 1, undecided: 6, takenAway: 0, hasFiles: true }),
    ])
    expect((await stateOf(customerNumber)).review).toBeNull()
    await expect(portal.db.deleteFrom('access_review_file').execute()).rejects.toThrow()
  })

  test('of 5,000 accesses is decided in bulk and reported', async () => {
    const customerNumber = await newAccount()
    const users = Array.from({ length: 5000 }, (_, at) => ({
      customer_number: customerNumber,
      email: `user${String(at).padStart(4, '0')}@web.example`,
      name: '',
      added_at: portal.clock.now(),
      added_by: ADA,
    }))
    for (let from = 0; from < users.length; from += 1000)
      await portal.db
        .insertInto('web_user')
        .values(users.slice(from, from + 1000))
        .execute()
    const reviewId = await openOn(customerNumber)
    for (let from = 0; from < users.length; from += MAX_DECIDED) {
      const ids = users.slice(from, from + MAX_DECIDED).map(({ email }) => `web-user:${email}`)
      const answer =
        from === 0
          ? await takeAway(ada, customerNumber, reviewId, ids)
          : await decide(ada, customerNumber, reviewId, ids)
      expect(outcomesOf(answer).every(({ status }) => status === 'SUCCESS')).toBe(true)
    }
    await finish(customerNumber, reviewId)
    const { csv, pdf } = await files(customerNumber, reviewId)
    expect(String(csv.body.text).trim().split('\r\n')).toHaveLength(1 + 5007)
    expect((pdf.body.bytes as Buffer).subarray(0, 5).toString()).toBe('%PDF-')
  })
})

const entries = [{ id: `contact:${VIC}`, revision: 1 }]
const CALLS: readonly (readonly [Operation, object, finds: boolean])[] = [
  [review.accessList.page, { reviewId: NO_ID }, false],
  [review.accessList.count, {}, true],
  [review.accessList.distinct, {}, true],
  [review.accessList.exportCsv, {}, true],
  [review.reviewList.page, {}, true],
  [review.reviewList.count, {}, true],
  [review.getReviewState, {}, true],
  [review.openReview, {}, true],
  [review.decideAccess, { reviewId: NO_ID, act: 'keep', reason: '', entries }, false],
  [review.finishReview, { reviewId: NO_ID }, false],
  [review.saveReviewSettings, { settings: { every: 0, dueDays: 14 }, revision: 0 }, true],
  [review.getReviewPdf, { reviewId: NO_ID }, false],
  [review.getReviewCsv, { reviewId: NO_ID }, false],
  [review.getReviewSignature, { reviewId: NO_ID }, false],
]
const named = CALLS.map(([operation, more, finds]) => [operation.name, operation, more, finds] as const)

test.each(named)(
  '%s is for those who manage contacts: 200, 400, 401, 403 and 404',
  async (_, operation, more, finds) => {
    const customerNumber = await newAccount()
    expect((await ada(operation, about(customerNumber, more))).status).toBe(finds ? 200 : 404)
    expect((await olivia(operation, about(customerNumber, more))).status).toBe(finds ? 200 : 404)
    expect((await ada(operation, about(customerNumber, { ...more, unknown: 1 }))).status).toBe(400)
    expect((await nobody(operation, about(customerNumber, more))).status).toBe(401)
    expect((await vic(operation, about(customerNumber, more))).status).toBe(403)
    const hal = await portal.as('hal.heritage@heritage.example')
    expect((await hal(operation, about(customerNumber, more))).status).toBe(404)
    const { headers } = await giveApiToken(portal, { customerNumber, owner: ADA, days: 300 })
    expect((await nobody(operation, { ...about(customerNumber, more), headers })).status).toBe(401)
  },
)

test('a review of another account does not exist', async () => {
  const [one, other] = [await newAccount(), await newAccount()]
  const reviewId = await openOn(one)
  expect((await ada(review.accessList.page, about(other, { reviewId }))).status).toBe(404)
  expect((await decide(ada, other, reviewId, [`contact:${VIC}`])).status).toBe(404)
  expect((await finish(other, reviewId)).status).toBe(404)
})

test.each([
  ['without a reason', { act: 'take-away', reason: '  ' }],
  ['with a reason that is too long', { act: 'take-away', reason: 'x'.repeat(501) }],
  ['by an unknown act', { act: 'burn', reason: 'x' }],
  ['without entries', { act: 'keep', reason: '', entries: [] }],
])('an access that is taken away %s is refused with 400', async (_, more) => {
  const customerNumber = await newAccount()
  const reviewId = await openOn(customerNumber)
  const answer = await ada(review.decideAccess, about(customerNumber, { reviewId, entries, ...more }))
  expect(answer.status).toBe(400)
  expect(await contactsOf(customerNumber)).toContain(VIC)
})
