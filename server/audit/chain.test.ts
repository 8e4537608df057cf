import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditLine, Checkpoint } from '#domain/audit/audit-line.ts'
import { CHAIN_START } from '#domain/audit/audit-line.ts'
import { type AuditContext, writeAudit, writeAudits } from '#server/audit/audit.queries.ts'
import { listSealedRows } from '#server/audit/chain.queries.ts'
import { listCheckpoints } from '#server/audit/checkpoints.queries.ts'
import { signCheckpoints, toCheckpoint } from '#server/audit/checkpoints.ts'
import { removeOld } from '#server/audit/remove-old.ts'
import { findRemovableEnd } from '#server/audit/retention.queries.ts'
import { sealRows, toLine } from '#server/audit/seal-rows.ts'
import { sealWaiting } from '#server/audit/sealer.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import type { DB } from '#server/db/schema.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const AT = new Date('2026-11-18T10:00:00Z')
let now = AT
const clock = { now: () => now }
const context: AuditContext = {
  at: AT,
  email: 'ada@aero.example',
  principal: 'session',
  address: '127.0.0.1',
  requestId: 'r1',
}

const at = (instant: string): AuditContext => ({ ...context, at: new Date(instant) })

/** The owner of the tables, who can do what the portal's role cannot. */
let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<DB>
let folder: string
beforeAll(async () => {
  database = await freshDatabase()
  db = database.db
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'audit-'))
})
afterAll(async () => {
  fs.rmSync(folder, { recursive: true })
  await database.close()
})

let accounts = 0
let account = ''
beforeEach(() => {
  now = AT
  account = `C${++accounts}`
})

const write = (customerNumber = account, after: unknown = { server: 'lic-1' }) =>
  writeAudit(db, context, { action: 'fulfillments/license', customerNumber, target: 'aa', after })
const sealAll = async () => {
  while ((await sealWaiting({ db, secrets: UNWRAPPED, clock })) > 0);
}
async function rows(count: number): Promise<void> {
  for (let written = 0; written < count; written++) await write(account, { server: `lic-${written + 1}` })
  await sealAll()
}

const verify = (customerNumber = account) => verifyAll([customerNumber])
function verifyAll(chains?: readonly string[]): Promise<string[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const found: string[] = []
      for await (const chain of verifyAudit(tx, UNWRAPPED, chains)) found.push(...chain.findings)
      return found
    })
}
const sequences = async (customerNumber = account) =>
  (await listSealedRows(db, customerNumber, 0, 10_000)).map(({ sequence }) => sequence)
const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Changes what nobody but the owner can change, with the triggers off. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // So that the nodes of a sharded database get the setting as well.
    await sql`set local citus.propagate_set_commands = 'local'`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    await statement.execute(tx)
  })
}
const idAt = (sequence: number) =>
  sql`(select audit_id from audit_seal where customer_number = ${account} and sequence = ${sequence})`

async function exported(): Promise<AuditLine[]> {
  const sealed = await listSealedRows(db, account, 0, 10_000)
  return sealed
    .filter(({ isLogged }) => isLogged)
    .map((row) => ({
      ...toLine(row, {
        customerNumber: account,
        sequence: row.sequence,
        previousHash: row.previousHash.toString('hex'),
      }),
      hash: row.hash.toString('hex'),
    }))
}
const checkpoints = async (): Promise<Checkpoint[]> => (await listCheckpoints(db, account)).map(toCheckpoint)

const run = promisify(execFile)
const VERIFIER = path.resolve('examples/audit-verifier/verify.mjs')
/** Runs the example as a customer does. */
const verifyOffline = (lines: readonly object[], marks: readonly Checkpoint[], ...options: string[]) =>
  verifyFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), marks, ...options)
async function verifyFile(content: string, marks: readonly Checkpoint[], ...options: string[]) {
  const file = path.join(folder, `${account}.ndjson`)
  const marksFile = path.join(folder, `${account}.json`)
  fs.writeFileSync(file, content)
  fs.writeFileSync(marksFile, JSON.stringify({ status: 'SUCCESS', data: marks }))
  const { stdout, code } = await runVerifier(file, '--checkpoints', marksFile, ...options)
  return {
    code,
    found: stdout.split('\n').filter((line) => /^(account|line) .*: (changed|removed|inserted|checkpoint) /.test(line)),
  }
}
const runVerifier = (...words: string[]) =>
  run(process.execPath, [VERIFIER, ...words]).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  )

describe('sealing', () => {
  test('100 concurrent writers leave one unbroken chain per account', async () => {
    const numbers = [account, `${account}-b`]
    const sealing = (async () => {
      for (let passes = 0; passes < 20; passes++) await sealWaiting({ db, secrets: UNWRAPPED, clock })
    })()
    await Promise.all(Array.from({ length: 100 }, (_, index) => write(numbers[index % 2])))
    await sealing
    await sealAll()
    for (const number of numbers) {
      expect(await sequences(number)).toEqual(numbersTo(50))
      expect(await verify(number)).toEqual([])
    }
  })

  test('a row that commits after a later one was sealed is sealed once, after it', async () => {
    let commit = () => {}
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve
    })
    let written = () => {}
    const isWritten = new Promise<void>((resolve) => {
      written = resolve
    })
    const late = db.transaction().execute(async (tx) => {
      await writeAudit(tx, context, { action: 'setreminders', customerNumber: account })
      written()
      await mayCommit
    })
    await isWritten
    await rows(2)
    expect(await sequences()).toEqual([1, 2])
    commit()
    await late
    await sealAll()
    await sealAll()
    const sealed = await listSealedRows(db, account, 0, 10)
    expect(sealed.map(({ action }) => action)).toEqual(['fulfillments/license', 'fulfillments/license', 'setreminders'])
    expect(Number(sealed[2]?.auditId)).toBeLessThan(Number(sealed[0]?.auditId))
    expect(await verify()).toEqual([])
  })

  test('several sealers at once seal every row once', async () => {
    for (let written = 0; written < 40; written++) await write()
    const sealed = await Promise.all(Array.from({ length: 4 }, () => sealRows(db, UNWRAPPED, account, AT)))
    await sealAll()
    expect(sealed.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(40)
    expect(await sequences()).toEqual(numbersTo(40))
    expect(await verify()).toEqual([])
  })

  test('a batch of entries is sealed in its order', async () => {
    const entries = numbersTo(3).map((number) => ({
      action: 'service/hosts' as const,
      customerNumber: account,
      target: `host-${number}`,
      after: { number },
    }))
    await db.transaction().execute((tx) => writeAudits(tx, context, entries))
    await sealAll()
    expect((await exported()).map(({ text }) => text)).toEqual([
      'Added the license server host-1',
      'Added the license server host-2',
      'Added the license server host-3',
    ])
    expect(await verify()).toEqual([])
  })

  test('an account whose rows cannot be sealed stops no other account, and the error names it', async () => {
    await rows(1)
    const others = [`A${account}`, `Z${account}`]
    await db
      .updateTable('audit_head')
      .set({ sequence: '0', hash: Buffer.from(CHAIN_START, 'hex') })
      .where('customer_number', '=', account)
      .execute()
    for (const written of [...others, account]) await write(written)
    await expect(sealWaiting({ db, secrets: UNWRAPPED, clock })).rejects.toMatchObject({
      errors: [expect.objectContaining({ message: `account ${account}` })],
    })
    for (const other of others) expect(await listSealedRows(db, other, 0, 10)).toHaveLength(1)
    await db.deleteFrom('audit_pending').where('customer_number', '=', account).execute()
  })

  test('a transaction that is rolled back leaves no gap', async () => {
    await rows(1)
    const failing = db.transaction().execute(async (tx) => {
      await writeAudit(tx, context, { action: 'setreminders', customerNumber: account })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await rows(1)
    expect(await sequences()).toEqual([1, 2])
  })
})

describe('online and offline, the verifier', () => {
  test('finds nothing in a chain that nobody touched', async () => {
    await rows(5)
    await signCheckpoints(db, UNWRAPPED, context)
    expect(await verify()).toEqual([])
    const marks = await checkpoints()
    expect(marks.map(({ sequence }) => sequence)).toContain(5)
    expect(await verifyOffline(await exported(), marks)).toEqual({ code: 0, found: [] })
    expect(await verifyOffline(await exported(), marks, '--key', marks[0]?.publicKey ?? '')).toMatchObject({ code: 0 })
  })

  test('finds nothing in a chain whose texts hold line separators of Unicode', async () => {
    await rows(1)
    const target = 'one\u2028two\u2029three\u0085four\rfive'
    await writeAudit(db, context, { action: 'setreminders', customerNumber: account, target })
    await rows(1)
    expect((await exported()).map(({ target: said }) => said)).toContain(target)
    expect(await verify()).toEqual([])
    expect(await verifyOffline(await exported(), await checkpoints())).toEqual({ code: 0, found: [] })
  })

  test('names a changed row', async () => {
    await rows(5)
    await tamper(
      sql`update audit_log set email = 'eve@evil.example' where customer_number = ${account} and id = ${idAt(3)}`,
    )
    const found = [`account ${account}, sequence 3: changed (it does not have the hash that it was sealed with)`]
    expect(await verify()).toEqual(found)
    expect(await verifyOffline(await exported(), await checkpoints())).toEqual({ code: 1, found })
  })

  test('names a row that was changed together with its hash', async () => {
    await rows(5)
    await tamper(sql`update audit_seal set hash = sha256('x') where customer_number = ${account} and sequence = 3`)
    expect((await verify())[0]).toContain(`account ${account}, sequence 3: changed`)
  })

  test('covers the token that acted', async () => {
    await rows(1)
    const byToken = { ...context, principal: 'token' as const, credential: 'ERP (t-1)' }
    await writeAudit(db, byToken, { action: 'setreminders', customerNumber: account })
    await rows(1)
    expect((await exported()).map(({ credential }) => credential)).toEqual([undefined, 'ERP (t-1)', undefined])
    await tamper(
      sql`update audit_log set credential = 'CRM (t-2)' where customer_number = ${account} and id = ${idAt(3)}`,
    )
    const found = [`account ${account}, sequence 3: changed (it does not have the hash that it was sealed with)`]
    expect(await verify()).toEqual(found)
    expect(await verifyOffline(await exported(), await checkpoints())).toEqual({ code: 1, found })
  })

  test('names a removed row, with and without its seal', async () => {
    await rows(5)
    await tamper(sql`delete from audit_log where customer_number = ${account} and id = ${idAt(3)}`)
    expect(await verify()).toEqual([`account ${account}, sequence 3: removed (its seal is still there)`])
    expect(await verifyOffline(await exported(), await checkpoints())).toEqual({
      code: 1,
      found: [`account ${account}, sequence 3: removed (the chain has a gap)`],
    })
    await tamper(sql`delete from audit_seal where customer_number = ${account} and sequence = 3`)
    expect(await verify()).toEqual([`account ${account}, sequence 3: removed (the chain has a gap)`])
  })

  test('names rows that were removed at the beginning, up to a checkpoint', async () => {
    await rows(2)
    await signCheckpoints(db, UNWRAPPED, context)
    await rows(2)
    const [first, second, ...rest] = await exported()
    await tamper(sql`delete from audit_log where customer_number = ${account} and id in (${idAt(1)}, ${idAt(2)})`)
    await tamper(sql`delete from audit_seal where customer_number = ${account} and sequence < 3`)
    const found = [`account ${account}, sequences 1 to 2: removed (no entry says that the retention removed them)`]
    expect(await verify()).toEqual(found)
    const marks = await checkpoints()
    expect(await verifyOffline(rest, marks)).toEqual({ code: 1, found })
    expect(
      await verifyOffline(
        [first, second, ...rest].flatMap((line) => line ?? []),
        marks,
      ),
    ).toMatchObject({ code: 0 })
    expect(await verifyOffline(rest, marks, '--after', second?.hash ?? '')).toMatchObject({ code: 0 })
  })

  test('names rows that were removed at the end', async () => {
    await rows(5)
    await signCheckpoints(db, UNWRAPPED, context)
    const lines = (await exported()).slice(0, 3)
    await tamper(sql`delete from audit_log where customer_number = ${account} and id in (
      select audit_id from audit_seal where customer_number = ${account} and sequence > 3)`)
    await tamper(sql`delete from audit_seal where customer_number = ${account} and sequence > 3`)
    await tamper(sql`update audit_head set sequence = 3 where customer_number = ${account}`)
    expect(await verify()).toEqual([`account ${account}, sequences 4 to 5: removed (the chain was longer)`])
    expect((await verifyOffline(lines, await checkpoints())).found).toEqual([
      `account ${account}, sequences 4 to 5: removed (a checkpoint knows them)`,
    ])
  })

  test('names an inserted row', async () => {
    await rows(5)
    await tamper(sql`
      insert into audit_log (at, email, address, request_id, principal, action, text, customer_number, outcome)
      values (${AT}, 'eve@evil.example', '127.0.0.1', 'r', 'session', 'changepin', 'Changed the PIN', ${account}, 'done')`)
    // The sealer does not take it for one of the portal's own.
    await sealAll()
    expect(await verify()).toEqual([
      expect.stringMatching(new RegExp(`^account ${account}, sequence 5: inserted \\(the row \\d+ of the log`)),
    ])
    const lines = await exported()
    const forged = { ...(lines[2] as AuditLine), actor: 'eve@evil.example' }
    expect((await verifyOffline([...lines.slice(0, 3), forged, ...lines.slice(3)], [])).found).toEqual([
      `account ${account}, sequence 3: inserted (the chain has another row of this number)`,
    ])
  })

  test('names a chain that was written anew', async () => {
    await rows(3)
    await signCheckpoints(db, UNWRAPPED, context)
    const marks = await checkpoints()
    await tamper(sql`delete from audit_seal where customer_number = ${account}`)
    await tamper(sql`delete from audit_head where customer_number = ${account}`)
    await tamper(sql`update audit_log set email = 'eve@evil.example' where customer_number = ${account}`)
    await tamper(
      sql`insert into audit_pending select customer_number, id from audit_log where customer_number = ${account}`,
    )
    await sealAll()
    expect((await verify()).every((line) => line.includes('has another hash'))).toBe(true)
    expect((await verify()).length).toBeGreaterThan(0)
    expect((await verifyOffline(await exported(), marks)).found).toContainEqual(
      expect.stringContaining(`sequences 1 to 3: changed (the checkpoint of 2026-11-18 has another hash)`),
    )
  })

  test('names what is no entry at all and checks the rest of the file', async () => {
    await rows(5)
    const lines = (await exported()).map((line) => JSON.stringify(line))
    const half = JSON.stringify({ ...JSON.parse(lines[1] ?? ''), sequence: 2.5 })
    const changed = (lines[3] ?? '').replace('ada@aero.example', 'eve@evil.example')
    const file = [lines[0], 'null', lines[1], half, '{"a":', lines[2], changed, lines[4]].join('\n')
    expect(await verifyFile(file, await checkpoints())).toEqual({
      code: 1,
      found: [
        'line 2 of the file: inserted (it is not an entry of the log)',
        'line 4 of the file: inserted (it is not an entry of the log)',
        'line 5 of the file: inserted (it is not an entry of the log)',
        `account ${account}, sequence 4: changed (it does not have the hash that it was sealed with)`,
      ],
    })
    expect(await verifyFile(lines.join('\n'), [], '--after', 'abc')).toEqual({ code: 2, found: [] })
  })

  test('checks that a file goes on where another one ends', async () => {
    await rows(2)
    await rows(2)
    const [first, second, ...rest] = (await exported()) as [AuditLine, AuditLine, ...AuditLine[]]
    expect(await verifyOffline(rest, [], '--after', second.hash)).toEqual({ code: 0, found: [] })
    const broken = {
      code: 1,
      found: [`account ${account}, sequence 3: changed (it does not follow the line with the hash of --after)`],
    }
    expect(await verifyOffline(rest, [], '--after', first.hash)).toEqual(broken)
    const hash = 'f'.repeat(64)
    expect(await verifyOffline(rest, [], '--after', hash)).toEqual(broken)
    // A checkpoint between the files knows the end of the first one.
    expect((await verifyOffline(rest, await checkpoints(), '--after', hash)).found).toEqual([
      ...broken.found,
      `account ${account}, sequence 2: changed (the checkpoint of 2026-11-18 has another hash than --after)`,
    ])
    // The end of a file is what the next one is checked with.
    const { stdout } = await runVerifier(path.join(folder, `${account}.ndjson`))
    expect(stdout).toContain(`account ${account} ends at sequence 4: check the next file with --after ${rest[1]?.hash}`)
  })

  test('refuses a line that has a key twice, at any depth and however it is written', async () => {
    await rows(3)
    const [first = '', second = '', third = ''] = (await exported()).map((line) => JSON.stringify(line))
    const found = (number: number) => [`line ${number} of the file: inserted (it has a key twice)`]
    for (const twice of [
      second.replace('{', '{"actor":"eve@evil.example",'),
      second.replace('{', '{"\\u0061ctor":"eve@evil.example",'),
      second.replace('"after":{', '"after":{"server":"lic-9",'),
    ]) {
      const { code, found: some } = await verifyFile([first, twice, third].join('\n'), [])
      expect({ code, found: some.slice(0, 1) }).toEqual({ code: 1, found: found(2) })
    }
    // The same key in two objects, and keys in texts, are no fault.
    await write(account, { a: { server: 1 }, b: [{ server: 2 }, '"server":', '{"a":1,"a":2}'], server: '\\"' })
    await sealAll()
    expect(await verifyOffline(await exported(), [])).toEqual({ code: 0, found: [] })
  })

  test('refuses words on the command line that it does not know', async () => {
    await rows(1)
    expect((await verifyOffline(await exported(), [], 'second.ndjson')).code).toBe(2)
    expect((await verifyOffline(await exported(), [], '--from', '1')).code).toBe(2)
  })

  test('refuses a checkpoint that the installation did not sign', async () => {
    await rows(2)
    const marks = (await checkpoints()).map((mark) => ({ ...mark, hash: 'f'.repeat(64) }))
    expect((await verifyOffline(await exported(), marks)).found[0]).toContain('has no valid signature')
    const withoutKey = marks.map((mark) => ({ ...mark, publicKey: 'AAAA' }))
    expect((await verifyOffline(await exported(), withoutKey)).found[0]).toContain('has no valid signature')
    await tamper(sql`update audit_checkpoint set made_at = now() where customer_number = ${account}`)
    expect(await verify()).toEqual([`account ${account}, sequence 2: the checkpoint of 2026-11-18 was changed`])
  })

  test('names removed checkpoints', async () => {
    await rows(2)
    await tamper(sql`delete from audit_checkpoint where customer_number = ${account}`)
    const noneLeft = `account ${account}: all checkpoints were removed (the first rows of a chain have one)`
    expect(await verify()).toEqual([noneLeft])
    await signCheckpoints(db, UNWRAPPED, at('2026-11-19T23:55:00Z'))
    await rows(1)
    await signCheckpoints(db, UNWRAPPED, at('2026-11-20T23:55:00Z'))
    await sealAll()
    expect(await verify()).toEqual([])
    for (const [sequence, more] of [
      [3, []],
      [2, [noneLeft]],
    ] as const) {
      await tamper(sql`delete from audit_checkpoint where customer_number = ${account} and sequence = ${sequence}`)
      expect(await verify()).toContain(
        `account ${account}, sequence ${sequence}: the checkpoint was removed (the portal's own log names it)`,
      )
      expect(await verify()).toEqual(expect.arrayContaining([...more]))
    }
  })

  test('names a chain that was removed whole', async () => {
    now = new Date('2026-11-21T10:00:00Z')
    await rows(2)
    await signCheckpoints(db, UNWRAPPED, at('2026-11-21T23:55:00Z'))
    for (const name of ['audit_log', 'audit_seal', 'audit_head', 'audit_checkpoint'])
      await tamper(sql`delete from ${sql.table(name)} where customer_number = ${account}`)
    const found = [
      `account ${account}, sequence 2: the checkpoint was removed (the portal's own log names it)`,
      `account ${account}, sequences 1 to 2: removed (the whole chain is gone)`,
    ]
    expect(await verify()).toEqual(found)
    expect(await verifyAll()).toEqual(expect.arrayContaining(found))
  })

  test('names a key that was replaced', async () => {
    await rows(2)
    await signCheckpoints(db, UNWRAPPED, at('2026-11-22T23:55:00Z'))
    await sealAll()
    const { secret } = await db
      .selectFrom('installation_secret')
      .select('secret')
      .where('name', '=', 'audit checkpoints')
      .executeTakeFirstOrThrow()
    const replace = (other: Buffer) =>
      db.updateTable('installation_secret').set({ secret: other }).where('name', '=', 'audit checkpoints').execute()
    try {
      await replace(Buffer.alloc(32, 1))
      expect(await verify()).toEqual([
        expect.stringMatching(
          new RegExp(
            `^account ${account}, sequence 2: the checkpoint of .* was signed with the key audit-[0-9a-f]{12}, and`,
          ),
        ),
      ])
      // Somebody who signs anew leaves what the portal's own log says.
      await tamper(sql`delete from audit_checkpoint`)
      await signCheckpoints(db, UNWRAPPED, at('2026-11-22T23:56:00Z'))
      expect(await verify()).toEqual([])
      expect(await verify('')).toContainEqual(
        expect.stringMatching(/^the key that signs checkpoints was replaced: it is audit-/),
      )
    } finally {
      await replace(secret)
    }
  })

  test('of an idle portal adds nothing to its log', async () => {
    await rows(1)
    const entries = async () => (await listSealedRows(db, '', 0, 10_000)).length
    await signCheckpoints(db, UNWRAPPED, at('2026-11-23T23:55:00Z'))
    await sealAll()
    const before = await entries()
    for (const day of [24, 25]) {
      await signCheckpoints(db, UNWRAPPED, at(`2026-11-${day}T23:55:00Z`))
      await sealAll()
    }
    expect(await entries()).toBe(before)
  })
})

describe('the retention', () => {
  const portalOwner = { ...context, principal: 'operator' as const, address: 'schedule', at: new Date() }
  const decide = (days: number) =>
    sql`insert into audit_retention (days) values (${days}) on conflict (is_only) do update set days = ${days}`.execute(
      db,
    )

  test('removes up to a checkpoint as the portal, and the rest is still verified', async () => {
    const old = { ...context, at: new Date('2020-01-01T10:00:00Z') }
    for (const target of ['a', 'b'])
      await writeAudit(db, old, { action: 'setreminders', customerNumber: account, target })
    await sealAll()
    await signCheckpoints(db, UNWRAPPED, context)
    await writeAudit(db, portalOwner, { action: 'setreminders', customerNumber: account })
    await sealAll()
    expect(await findRemovableEnd(db, account, new Date('2019-12-31T00:00:00Z'))).toBeUndefined()
    expect(await findRemovableEnd(db, account, new Date('2020-01-02T00:00:00Z'))).toBe(2)
    // The portal's role cannot delete by itself: it asks for a function of the owner, who decides what is old.
    const asPortal = database.portal.db
    expect(await removeOld(asPortal, portalOwner)).toBe(0)
    await decide(36_500)
    expect(await removeOld(asPortal, portalOwner)).toBe(0)
    await decide(30)
    expect(await removeOld(asPortal, portalOwner)).toBe(2)
    await expect(sql`delete from audit_log`.execute(asPortal)).rejects.toThrow('permission denied')
    await expect(sql`update audit_retention set days = 1`.execute(asPortal)).rejects.toThrow('permission denied')
    await sealAll()
    expect(await sequences()).toEqual([3, 4])
    expect((await exported()).map(({ actorKind, text }) => [actorKind, text])).toEqual([
      ['portal', 'Changed the reminders'],
      ['portal', 'Removed the audit log up to sequence 2: older than 30 days'],
    ])
    expect(await verify()).toEqual([])
    expect(await verifyOffline(await exported(), await checkpoints())).toEqual({ code: 0, found: [] })
    expect((await verifyOffline(await exported(), [])).found).toEqual([
      `account ${account}, sequences 1 to 2: removed (the chain has a gap)`,
    ])
    const [mark] = await checkpoints()
    expect(await verifyOffline(await exported(), [], '--after', mark?.hash ?? '')).toEqual({ code: 0, found: [] })
  })

  test('removes nothing that no checkpoint covers', async () => {
    await decide(30)
    const old = { ...context, at: new Date('2020-01-01T10:00:00Z') }
    await writeAudit(db, old, { action: 'setreminders', customerNumber: account })
    await sealAll()
    await writeAudit(db, old, { action: 'setreminders', customerNumber: account })
    await sealAll()
    // The first row has a checkpoint, the second one has none yet.
    expect(await removeOld(db, portalOwner)).toBe(1)
    expect(await sequences()).toEqual([2])
    expect(await verify()).toEqual([])
  })

  test('nothing else can delete rows, not even the owner by mistake', async () => {
    await rows(1)
    for (const table of ['audit_log', 'audit_seal', 'audit_checkpoint'])
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow('append-only')
  })
})
