import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listServers, type Server } from '#contract/activations/hosts/servers.ts'
import { setSharedServer } from '#contract/activations/hosts/shared-server.ts'
import {
  compareLicenseFiles,
  downloadLicense,
  emailLicense,
  generateLicense,
  getLicenseFile,
  type LicenseFile,
  listLicenseFiles,
  verifyLicense,
} from '#contract/activations/license-files/license-files.ts'
import { previewSave } from '#contract/activations/plans/host-plans.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { withoutFileSignature } from '#domain/activations/license-files/file-signature.ts'
import { licenseLines } from '#domain/activations/license-files/license-lines.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { rotateKey } from '#server/modules/activations/activations.public.ts'
import { ADA, type Call, hostOf, NEW_HOST, OLIVIA, sellLicense, VIC } from '#server/testing/activations.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const MINE = '100001'
const ALSO_MINE = '100002'
const DAY = 86_400_000

let portal: Portal
let ada: Call
let vic: Call
let hosts = 0
let host = NEW_HOST
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  vic = await portal.as(VIC)
})
beforeEach(() => {
  host = { ...NEW_HOST, serverId: (++hosts).toString(16).padStart(12, 'd') }
})
afterAll(() => portal.close())

async function activate(change: Parameters<typeof sellLicense>[1] = {}, count = 1) {
  const id = await sellLicense(portal, change)
  const customerNumber = change?.customer_number ?? MINE
  const body = { customerNumber, ...host, activations: [{ id, count }] }
  const answer = await ada(createFulfillments, { body })
  expect(answer.body.status, JSON.stringify(answer.body)).toBe('SUCCESS')
  return { id, fulfillmentId: (answer.body.data as { FulfillmentID: string }[])[0]!.FulfillmentID }
}
const generate = (more: object = {}, call = ada) =>
  call(generateLicense, { body: { customerNumber: MINE, ...host, ...more } })
const download = async (call = ada, customerNumber = MINE) =>
  (await call(downloadLicense, { body: { customerNumber, ...host } })).body
const downloadText = async (call = ada, customerNumber = MINE) =>
  String((await download(call, customerNumber)).licenseText)
const verify = async (text: string) =>
  (await vic(verifyLicense, { body: { file: Buffer.from(text) } })).body.data as DataOf<typeof verifyLicense>
const files = async (call = ada) =>
  (await call(listLicenseFiles, { body: { customerNumber: MINE, serverId: host.serverId } })).body.data as LicenseFile[]
const server = async () =>
  ((await ada(listServers, { body: { customerNumber: MINE } })).body.data as Server[]).find(
    ({ id }) => id === host.serverId,
  )

test('answers the text by daemon, and stores the file with who, when and why', async () => {
  await activate()
  await activate({ product_name: 'Fluid Flow Pro', license_model: 'Fluent' })
  const answer = await generate()
  expect(Object.keys(answer.body.licenseText as object).sort()).toEqual(['ansyslmd', 'fluentd'])
  expect(answer.body.licenseFileName).toBe(`license_100001_${host.serverId}.lic`)
  const [file, ...older] = await files(vic)
  expect(older).toEqual([])
  expect(file).toEqual({
    id: expect.any(String),
    licenseFileName: `license_100001_${host.serverId}.lic`,
    generatedAt: portal.clock.now().toISOString(),
    generatedBy: ADA,
    reason: 'FIRST',
    issuedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    isShared: false,
    keyId: expect.stringMatching(/^portal-/),
    size: Buffer.byteLength(await downloadText()),
  })
  expect(answer.body.data).toEqual(file)
})

test('the same state and day give the same bytes', async () => {
  await activate()
  await generate()
  const first = await downloadText()
  await generate()
  expect(await downloadText()).toBe(first)
  expect((await files()).map(({ reason }) => reason)).toEqual(['REQUESTED', 'FIRST'])
})

test('a viewer can download a file, which is audited, but not generate one', async () => {
  await activate()
  expect((await download(vic)).code).toBe('NO_LICENSE_FILE')
  await generate()
  expect((await download(vic)).licenseText).toBe(await downloadText())
  expect((await generate({}, vic)).status).toBe(403)
  const audit = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'target'])
    .where('email', '=', VIC)
    .where('outcome', '=', 'done')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(audit).toEqual({ action: 'fulfillments/download', target: host.serverId })
})

test('a host without licenses is refused with the text that the screen expects', async () => {
  const { fulfillmentId } = await activate()
  await ada(returnFulfillments, { body: { customerNumber: MINE, activations: [{ id: fulfillmentId, count: -1 }] } })
  expect((await generate()).body).toMatchObject({
    code: 'NO_LICENSES',
    err: `No daemons with activations found for server ${host.serverId}`,
  })
  expect(
    (await ada(generateLicense, { body: { customerNumber: MINE, ...host, serverId: '0123456789ab' } })).status,
  ).toBe(404)
})

test('a product that the catalog does not know is refused by name', async () => {
  const id = await sellLicense(portal, { part_number: 'GONE' })
  await ada(createFulfillments, { body: { customerNumber: MINE, ...host, activations: [{ id, count: 1 }] } })
  expect((await generate()).body).toMatchObject({ code: 'NOT_IN_CATALOG' })
})

describe('the verification of a license file', () => {
  test('accepts our own file, names it, also after a key rotation', async () => {
    await activate()
    await generate()
    const text = await downloadText()
    const named = { verdict: 'unchanged', changedLines: [], file: { serverId: host.serverId, generatedBy: ADA } }
    expect(await verify(text)).toMatchObject(named)
    expect(await verify(text.replaceAll('\n', '\r\n'))).toMatchObject(named)
    expect(await verify(text.trimEnd())).toMatchObject(named)
    await rotateKey(
      portal.db,
      UNWRAPPED,
      auditContextOf(OPERATOR, { at: portal.clock.now(), address: '', requestId: '' }),
    )
    expect(await verify(text)).toMatchObject(named)
    await generate()
    const [newer, older] = await files()
    expect(newer?.keyId).not.toBe(older?.keyId)
    expect((await verify(await downloadText())).verdict).toBe('unchanged')
  })

  test('fails on one changed character, wherever it is, and shows the line', async () => {
    await activate()
    await generate()
    const text = await downloadText()
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 2), fc.constantFrom(...'aF0- #'), async (at, character) => {
        fc.pre(text[at] !== character && text[at] !== '\n')
        const answer = await verify(text.slice(0, at) + character + text.slice(at + 1))
        const line = text.slice(0, at).split('\n').length
        expect(answer.verdict).not.toBe('unchanged')
        if (answer.file) expect(answer.changedLines.map((one) => one.line)).toEqual([line, line])
      }),
      { numRuns: isFullRun ? 60 : 15 },
    )
  })

  test('says which lines were edited while every license is genuine', async () => {
    await activate()
    await generate()
    const answer = await verify((await downloadText()).replace(' 1055', ' 27000').replace('# 1. ', '# one: '))
    expect(answer).toMatchObject({
      verdict: 'text changed',
      explanation: expect.stringContaining('every license in it is genuine'),
      file: { customerNumber: MINE, serverId: host.serverId, generatedAt: portal.clock.now().toISOString() },
      changedLineCount: 4,
    })
    expect(answer.changedLines.slice(0, 2)).toEqual([
      { kind: 'removed', line: 1, text: expect.stringMatching(/ 1055$/) },
      { kind: 'added', line: 1, text: expect.stringMatching(/ 27000$/) },
    ])
  })

  test('knows a kept file without the signature of the whole file by its text', async () => {
    await activate()
    await generate()
    const row = await portal.db
      .selectFrom('license_file')
      .selectAll()
      .where('host_id', '=', host.serverId)
      .executeTakeFirstOrThrow()
    const { file_id: _, position: __, ...older } = row
    const text = withoutFileSignature(row.own_text)
    expect((await verify(text)).verdict).toBe('text changed')
    await portal.db
      .insertInto('license_file')
      .values({ ...older, own_text: text })
      .execute()
    expect(await verify(text)).toMatchObject({ verdict: 'unchanged', file: { generatedBy: ADA } })
    expect((await verify(text.replace('# 1.', '# 2.'))).verdict).toBe('text changed')
  })

  test('does not name files on accounts that the person does not see', async () => {
    await activate({ customer_number: ALSO_MINE })
    await ada(generateLicense, { body: { customerNumber: ALSO_MINE, ...host } })
    const text = await downloadText(ada, ALSO_MINE)
    expect(await verify(text)).toMatchObject({ verdict: 'unchanged', file: null })
    expect(await verify(text.replace(' 1055', ' 27000'))).toMatchObject({
      verdict: 'text changed',
      file: null,
      changedLines: [],
    })
  })

  test('rejects another encoding of the same signature', async () => {
    await activate()
    await generate()
    const text = await downloadText()
    expect(
      (await verify(text.replace(/SIGN="[^"]*"/g, (sign) => sign.replace(/[A-F]/g, (c) => c.toLowerCase())))).verdict,
    ).toBe('licenses changed')
  })

  test('recognizes files of other vendors, and refuses other files', async () => {
    expect((await verify('INCREMENT x vendor 1 permanent 1 SIGN=00')).verdict).toBe('not ours')
    const answer = await vic(verifyLicense, { body: { file: Buffer.from([0xff, 0xd8, 0xff, 0]) } })
    expect(answer.body).toMatchObject({ code: 'NOT_A_LICENSE_FILE' })
  })
})

test('no name from a person or the catalog can add a line to a file', async () => {
  const hostile = fc.string({
    unit: fc.constantFrom(...'a \n\r\t"\\#\u2028\u0085é', 'INCREMENT ', 'SERVER '),
    maxLength: 40,
  })
  const plain = await activate()
  await generate()
  const expected = licenseLines(await downloadText()).filter(({ keyword }) => keyword !== undefined).length
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      await portal.db
        .updateTable('entitlement')
        .set({ product_name: `x${name}` })
        .where('activation_id', '=', plain.id)
        .execute()
      expect((await generate()).body.status).toBe('SUCCESS')
      const text = await downloadText()
      expect(licenseLines(text).filter(({ keyword }) => keyword !== undefined)).toHaveLength(expected)
      expect(text).toMatch(/^[\n\t -~]*$/)
      expect((await verify(text)).verdict).toBe('unchanged')
    }),
    { numRuns: isFullRun ? 25 : 6 },
  )
})

test('Borrowable is kept with the host and puts BORROW on borrowable licenses', async () => {
  await activate({ product_name: 'Electromagnetics High Frequency', license_model: 'Ansoft Borrow' })
  await generate({ ansysborrowed: true })
  expect(await downloadText()).toContain('BORROW=720')
  expect(await server()).toMatchObject({ ansysborrowed: true, isOutOfDate: false })
  await generate()
  expect(await downloadText()).toContain('BORROW=720')
  await generate({ ansysborrowed: false })
  expect(await downloadText()).not.toContain('BORROW')
})

describe('a license file that is out of date', () => {
  test('is reported when seats changed after it, even in the same moment', async () => {
    await activate()
    expect(await server()).toMatchObject({ isOutOfDate: true, generatedAt: null })
    await generate()
    expect(await server()).toMatchObject({ isOutOfDate: false, generatedBy: ADA })
    const { fulfillmentId } = await activate()
    expect(await server()).toMatchObject({ isOutOfDate: true })
    await generate()
    await ada(returnFulfillments, { body: { customerNumber: MINE, activations: [{ id: fulfillmentId, count: -1 }] } })
    expect(await server()).toMatchObject({ isOutOfDate: true })
    await generate()
    expect((await files()).map(({ reason }) => reason)).toEqual(['SEATS_CHANGED', 'SEATS_CHANGED', 'FIRST'])
  })

  test.each([
    ['end', { end_date: '2031-05-05', is_permanent: false }],
    ['maintenance date', { version_date: '2031-05-05' }],
  ])('is reported when the vendor changes the %s of an entitlement', async (_what, changes) => {
    const { id } = await activate()
    await generate()
    const update = (set: object) =>
      portal.db.updateTable('entitlement').set(set).where('activation_id', '=', id).execute()
    await update({ po_number: 'PO-other' })
    expect(await server()).toMatchObject({ isOutOfDate: false })
    await update(changes)
    expect(await server()).toMatchObject({ isOutOfDate: true })
    await generate()
    expect(await server()).toMatchObject({ isOutOfDate: false })
    expect((await files()).map(({ reason }) => reason)).toEqual(['SEATS_CHANGED', 'FIRST'])
  })

  test('is reported when the catalog changes its product, whatever the entitlement became meanwhile', async () => {
    const [one, other] = ['CHANGED-1', 'CHANGED-2']
    const product = (part_number: string) => ({
      part_number,
      name: part_number,
      item_number: part_number,
      daemon: 'ansyslmd',
      feature_names: ['one'],
    })
    await portal.db
      .insertInto('product')
      .values([product(one), product(other)])
      .execute()
    const update = (set: object) => portal.db.updateTable('product').set(set).where('part_number', '=', one).execute()
    const { id } = await activate({ part_number: one })
    await activate({ customer_number: ALSO_MINE, part_number: one })
    await generate()
    for (const changes of [{ feature_names: ['one', 'two'] }, { daemon: 'fluentd' }, { is_node_locked: true }]) {
      await update({ name: `Renamed ${Object.keys(changes)}` })
      expect(await server()).toMatchObject({ isOutOfDate: false })
      await update(changes)
      expect(await server()).toMatchObject({ isOutOfDate: true })
      await generate()
    }
    await portal.db.updateTable('entitlement').set({ part_number: other }).where('activation_id', '=', id).execute()
    expect(await server()).toMatchObject({ isOutOfDate: true })
    await ada(setSharedServer, { body: { customerNumber: MINE, ...hostOf(host), group: [MINE, ALSO_MINE] } })
    await generate()
    expect(await server()).toMatchObject({ isOutOfDate: false })
    await update({ feature_names: ['three'] })
    expect(await server()).toMatchObject({ isOutOfDate: true })
  })

  test('is reported on a shared host when seats of another customer, or the group, change', async () => {
    await activate()
    await activate({ customer_number: ALSO_MINE })
    await generate()
    const group = (numbers: string[]) =>
      ada(setSharedServer, { body: { customerNumber: MINE, ...hostOf(host), group: numbers } })
    await group([MINE, ALSO_MINE])
    expect(await server()).toMatchObject({ isOutOfDate: true, isShared: true })
    await generate()
    expect(await server()).toMatchObject({ isOutOfDate: false })
    await activate({ customer_number: ALSO_MINE })
    expect(await server()).toMatchObject({ isOutOfDate: true })
  })
})

describe('a shared file', () => {
  beforeEach(async () => {
    await activate()
    await activate({ customer_number: ALSO_MINE })
    const body = { customerNumber: MINE, ...hostOf(host), group: [MINE, ALSO_MINE] }
    await ada(setSharedServer, { body })
  })

  test('has the licenses of all its customers under one date, whichever customer requests it', async () => {
    await generate()
    await ada(generateLicense, { body: { customerNumber: ALSO_MINE, ...host } })
    const [mine, theirs] = [await download(), await download(ada, ALSO_MINE)]
    expect(mine.licenseFileName).toBe(`license_100001_${host.serverId}_shared.lic`)
    expect(mine.data).toEqual([MINE, ALSO_MINE].map((customerNumber) => ({ customerNumber, status: 'SUCCESS' })))
    expect(theirs.licenseText).toBe(mine.licenseText)
    expect(await verify(String(mine.licenseText))).toMatchObject({
      verdict: 'unchanged',
      issueDates: [expect.any(String)],
    })
  })

  test('shows only the own licenses to a person who does not see all customers', async () => {
    await generate()
    const [all, own] = [await download(), await download(vic)]
    expect(String(all.licenseText)).toContain('customer:00100002')
    expect(String(own.licenseText)).toContain('customer:00100001')
    expect(JSON.stringify(own)).not.toContain('100002')
    expect(own.licenseFileName).toBe(`license_100001_${host.serverId}.lic`)
    expect(JSON.stringify(await files(vic))).not.toContain('shared.lic')
  })

  test('leaves out a customer that export compliance denies', async () => {
    const set = (status: string) =>
      portal.db
        .updateTable('account')
        .set({ export_control_status: status })
        .where('customer_number', '=', ALSO_MINE)
        .execute()
    await set('Pending')
    await generate()
    const answer = await download()
    expect(JSON.stringify(answer.licenseText)).not.toContain('customer:00100002')
    expect(answer.data).toEqual([
      { customerNumber: MINE, status: 'SUCCESS' },
      {
        customerNumber: ALSO_MINE,
        status: 'FAILURE',
        code: 'EXPORT_DENIED',
        err: 'Access to this customer is denied per Export Compliance restrictions.',
      },
    ])
    await set('')
  })
})

describe('the preview of a license file', () => {
  test('shows the future file and its difference, without valid signatures', async () => {
    const { id: staying } = await activate({}, 2)
    const leaving = await activate({ product_name: 'Fluid Flow Pro', license_model: 'Fluent' })
    await generate()
    const added = await sellLicense(portal, { product_name: 'Rigid Body Dynamics' })
    const activations = [
      { id: leaving.fulfillmentId, count: -1 },
      { id: added, count: 3 },
      { id: staying, count: 1 },
    ]
    const customers = [
      {
        customerNumber: MINE,
        returned: [leaving.fulfillmentId],
        wanted: [
          { id: added, seats: 3 },
          { id: staying, seats: 3 },
        ],
      },
    ]
    const body = { ...host, customers }
    const { data } = (await ada(previewSave, { body })).body as { data: DataOf<typeof previewSave> }
    expect(data.difference.summary).toEqual({ added: 1, removed: 1, changed: 2, reissued: 0, unchanged: 0 })
    expect(
      data.difference.entries
        .filter(({ kind }) => kind === 'removed')
        .flatMap(({ lines }) => lines)
        .join('\n'),
    ).toContain('flow_pro')
    expect(data.licenseText).toContain('rigid_dynamics ansyslmd')
    expect(data.before?.licenseFileName).toBe(data.licenseFileName)
    expect((await verify(data.licenseText)).verdict).toBe('not ours')
    await ada(returnFulfillments, { body: { customerNumber: MINE, activations: activations.slice(0, 1) } })
    await ada(createFulfillments, { body: { customerNumber: MINE, ...host, activations: activations.slice(1) } })
    await generate()
    const again = (await ada(previewSave, { body: { ...host, customers: [{ customerNumber: MINE, wanted: [] }] } }))
      .body
    expect((again.data as typeof data).difference.summary).toMatchObject({ added: 0, removed: 0, changed: 0 })
  })

  test('works for a host that is not saved yet, and for several customers', async () => {
    const [one, other] = [await sellLicense(portal), await sellLicense(portal, { customer_number: ALSO_MINE })]
    const customers = [
      { customerNumber: MINE, wanted: [{ id: one, seats: 1 }] },
      { customerNumber: ALSO_MINE, wanted: [{ id: other, seats: 1 }] },
    ]
    const { data } = (await ada(previewSave, { body: { ...host, customers } })).body as {
      data: DataOf<typeof previewSave>
    }
    expect(data).toMatchObject({ before: null, licenseFileName: `license_100001_${host.serverId}_shared.lic` })
    expect(data.difference.summary.added).toBe(4)
    const foreign = [{ customerNumber: '100003', wanted: [] }]
    expect((await ada(previewSave, { body: { ...host, customers: [...customers, ...foreign] } })).status).toBe(404)
    expect((await vic(previewSave, { body: { ...host, customers: customers.slice(0, 1) } })).status).toBe(403)
  })
})

test('two stored files can be read and compared', async () => {
  await activate()
  await generate()
  await activate({ product_name: 'Rigid Body Dynamics' })
  await generate()
  const [after, before] = await files()
  const body = { customerNumber: MINE, before: before!.id, after: after!.id }
  const { data } = (await vic(compareLicenseFiles, { body })).body as { data: DataOf<typeof compareLicenseFiles> }
  expect(data.summary).toMatchObject({ added: 1, removed: 0, changed: 0 })
  const entry = await portal.db
    .selectFrom('audit_log')
    .select(['target', 'after', 'text'])
    .where('action', '=', compareLicenseFiles.name)
    .executeTakeFirst()
  expect(entry).toEqual({
    target: after!.licenseFileName,
    after: { ids: [body.before, body.after] },
    text: 'Compared two license files',
  })
  const read = await vic(getLicenseFile, { body: { customerNumber: MINE, id: after!.id } })
  expect(read.body).toMatchObject({ licenseText: await downloadText(), data: after })
  const greta = await portal.as('greta.generator@partner.example')
  expect((await greta(getLicenseFile, { body: { customerNumber: '100003', id: after!.id } })).status).toBe(404)
})

describe('a license file email', () => {
  const SUPPORT = 'licenses@aerodyne.example'
  const email = (more: object = {}, call = ada) =>
    call(emailLicense, {
      body: { customerNumber: MINE, serverName: host.serverName, serverId: host.serverId, ...more },
    })
  beforeAll(async () => {
    await portal.db.updateTable('account').set({ support_email: SUPPORT }).where('customer_number', '=', MINE).execute()
  })
  beforeEach(async () => {
    await activate()
  })

  test('goes to the caller with a copy to support, our own file attached', async () => {
    expect((await email()).body).toMatchObject({ code: 'NO_LICENSE_FILE' })
    const { licenseText } = (await generate()).body
    const answer = await email({ supportEmailTo: '', supportEmailCc: SUPPORT.toUpperCase(), licenseText })
    const { id, ...data } = answer.body.data as DataOf<typeof emailLicense>
    expect(data).toEqual({ to: [ADA], cc: [SUPPORT], licenseFileName: `license_100001_${host.serverId}.lic` })
    const attachment = await portal.db
      .selectFrom('mail_attachment')
      .select(['name', 'media_type', 'content'])
      .where('mail_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(attachment).toEqual({
      name: data.licenseFileName,
      media_type: 'text/plain',
      content: Buffer.from(await downloadText()),
    })
  })

  test('goes to support alone after Generate', async () => {
    await generate()
    expect((await email({ supportEmailTo: SUPPORT })).body.data).toMatchObject({ to: [SUPPORT], cc: [] })
  })

  test.each([{ supportEmailTo: 'mallory@evil.example' }, { supportEmailCc: 'mallory@evil.example' }])(
    'goes to nobody else: %j',
    async (addresses) => {
      await generate()
      expect((await email(addresses)).status).toBe(403)
    },
  )

  test('refuses a text that is not the last file with 409', async () => {
    await generate()
    const text = await downloadText()
    expect((await email({ licenseText: text })).body.status).toBe('SUCCESS')
    expect((await email({ licenseText: text.replace('INCREMENT', 'INCREMENt') })).status).toBe(409)
    expect((await email({ licenseText: { ansyslmd: 'INCREMENT mine' } })).status).toBe(409)
    expect((await email({}, vic)).status).toBe(403)
  })
})

test('a file is never issued before an earlier one of its license server, whatever the time zones of the accounts', async () => {
  // It is always one day later in Kiritimati than in Honolulu.
  const zone = (customerNumber: string, time_zone: string) =>
    portal.db.updateTable('account').set({ time_zone }).where('customer_number', '=', customerNumber).execute()
  const zones = await portal.db
    .selectFrom('account')
    .select(['customer_number', 'time_zone'])
    .where('customer_number', 'in', [MINE, ALSO_MINE])
    .execute()
  await zone(MINE, 'Pacific/Kiritimati')
  await zone(ALSO_MINE, 'Pacific/Honolulu')
  await activate()
  await activate({ customer_number: ALSO_MINE })
  const issuedOn = async () => ((await generate()).body.data as { issuedOn: string }).issuedOn
  const alone = await issuedOn()
  await ada(setSharedServer, { body: { customerNumber: MINE, ...hostOf(host), group: [MINE, ALSO_MINE] } })
  expect(dayIn('Pacific/Honolulu', portal.clock.now()) < alone).toBe(true)
  expect(await issuedOn()).toBe(alone)
  for (const one of zones) await zone(one.customer_number, one.time_zone)
})

test('a lease leaves the file the day after its end in the time zone of the account, and the host is then out of date', async () => {
  const today = dayIn('Europe/Berlin', portal.clock.now())
  await activate()
  await activate({ product_name: 'Rigid Body Dynamics', end_date: today })
  await generate()
  const before = await downloadText()
  portal.clock.forward(2 * DAY)
  const later = await (await startAgain()).as(OLIVIA)
  const servers = (await later(listServers, { body: { customerNumber: MINE } })).body.data as Server[]
  expect(servers.find(({ id }) => id === host.serverId)?.isOutOfDate).toBe(true)
  const answer = await later(generateLicense, { body: { customerNumber: MINE, ...host } })
  expect(answer.body.data).toMatchObject({ reason: 'LICENSES_EXPIRED' })
  expect(before).toContain('rigid_dynamics')
  expect(JSON.stringify(answer.body.licenseText)).not.toContain('rigid_dynamics')
})

/** Sessions have ended by then, so people sign in again. */
async function startAgain(): Promise<Pick<Portal, 'as'>> {
  await portal.db.deleteFrom('session').execute()
  const { signIn, callOperation } = await import('#server/testing/portal.ts')
  return {
    as: async (email) => {
      const cookie = await signIn(portal.app, email ?? '')
      return (operation, parts = {}) => callOperation(portal.app, operation, cookie, parts)
    },
  }
}
