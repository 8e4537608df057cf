import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getMonthlyDraw } from '#contract/elastic/balances/elastic-entitlements.ts'
import { getChargeback } from '#contract/elastic/statements/chargeback.ts'
import { getStatement, getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { lastUpdatedOn } from '#contract/elastic/usage/last-updated-on.ts'
import type { SentTransaction } from '#contract/elastic/usage/send-usage.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { getOptimization } from '#contract/optimization/optimization.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import { CHARGEBACK_DIMENSIONS } from '#domain/elastic/statements/chargeback.ts'
import { archivedNotice, latestCut, type Month } from '#domain/elastic/usage/archived-months.ts'
import type { Command } from '#server/cli/command.ts'
import { exportFile } from '#server/cli/export.ts'
import { usageCheck, usageRebuild } from '#server/cli/usage.ts'
import { usageArchive, usageDetach, usageRestore } from '#server/cli/usage-archive.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { findTotals, listArchivedMonths, partitionOf } from '#server/modules/elastic/usage/usage-archive.queries.ts'
import { listUsageMonths } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import {
  addMeteredAccount,
  codesOf,
  type MeteredPortal,
  sentTransaction,
  startMeteredPortal,
} from '#server/testing/metering.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'
import { driftedDays } from '#server/testing/usage.ts'

const ACCOUNTS = ['BERLIN', 'LA'] as const
const MINUTE = 60_000

let portal: MeteredPortal
let directory: string
/** The first month that stays, and the two before it. */
let cut: Month
let last: Month
let first: Month
beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'usage-archive-'))
  portal = await startMeteredPortal('usage')
  cut = latestCut(portal.clock.now())
  last = addMonths(`${cut}-01`, -1).slice(0, 7)
  first = addMonths(`${cut}-01`, -2).slice(0, 7)
  await addMeteredAccount(portal.db, 'BERLIN', { timeZone: 'Europe/Berlin' })
  await addMeteredAccount(portal.db, 'LA', { timeZone: 'America/Los_Angeles' })
  // Half an hour before and after each beginning of a month in UTC: on the same day of each account.
  const ends = [first, last, cut].flatMap((month) => [-30, 30].map((minutes) => start(month) + minutes * MINUTE))
  const sent = ACCOUNTS.flatMap((account) => [
    ...ends.map((end, at) => usage(account, end, { id: `${account}-${at}`, username: at % 2 ? 'ben' : 'anna' })),
    usage(account, start(last) + 40 * MINUTE, { id: `${account}-wing`, project: 'Wing "A", B', host: 'ws2' }),
    usage(account, start(last) + 50 * MINUTE, {
      id: `${account}-back`,
      correctionOf: `${account}-wing`,
      charge: '-1.25',
    }),
  ])
  expect(new Set(codesOf((await portal.sendUsage(sent)).lines))).toEqual(new Set(['SUCCESS']))
})
afterAll(async () => {
  await portal.close()
  fs.rmSync(directory, { recursive: true })
})

const start = (month: Month) => Date.parse(`${month}-01T00:00:00Z`)
function usage(account: string, end: number, changes: Partial<SentTransaction> = {}): SentTransaction {
  const at = (time: number) => new Date(time).toISOString()
  return sentTransaction(portal, account, { startTime: at(end - 20 * MINUTE), endTime: at(end), ...changes })
}

async function run(command: Command, ...words: string[]): Promise<string> {
  const lines: string[] = []
  const now = portal.clock.now()
  await command.run(words, {
    config: portal.config,
    installation: portal as never,
    now,
    secrets: UNWRAPPED,
    audit: auditContextOf(OPERATOR, { at: now, address: 'command line', requestId: '' }),
    say: (line) => void lines.push(line),
    progress: () => {},
  })
  return lines.join('\n')
}
const archive = (before = cut) => run(usageArchive, '--before', before, '--to', directory)
const detach = (before = cut) => run(usageDetach, '--before', before, '--from', directory)
const fileOf = (month: Month) => path.join(directory, `usage-${month}.csv.gz`)

const countIn = async (month: Month) => Number((await findTotals(portal.db, partitionOf(month))).transactions)

/** All that a person is told of the archived months and of the days around them. */
async function told() {
  const olivia = await portal.asOlivia()
  const answers: unknown[] = []
  for (const customerNumber of ACCOUNTS) {
    const end = addDays(`${cut}-01`, -1)
    const periods = [
      { from: `${first}-01`, to: end },
      { from: end, to: end },
      { from: `${cut}-01`, to: `${cut}-28` },
    ]
    for (const period of periods) {
      const body = { customerNumber, ...period }
      answers.push((await olivia(getStatement, { body })).body)
      for (const by of CHARGEBACK_DIMENSIONS)
        answers.push((await olivia(getChargeback, { body: { ...body, by } })).body)
    }
    const month = { customerNumber, from: `${last}-01`, to: end }
    const { bytes } = (await olivia(getStatementPdf, { body: month })).body
    answers.push((await readPdf(bytes as Buffer)).lines)
    answers.push(
      (await olivia(getMonthlyDraw, { body: { customerNumber, activationId: [`${customerNumber}-1`] } })).body,
    )
  }
  return answers
}

test('the newest months stay', async () => {
  await expect(archive(addMonths(`${cut}-01`, 1).slice(0, 7))).rejects.toThrow(`Months from ${cut} on stay`)
  await expect(run(usageArchive, '--before', 'May', '--to', directory)).rejects.toThrow('such as 2025-03')
  await expect(run(usageArchive, '--before', cut, '--to', `${directory}/none`)).rejects.toThrow('must be a directory')
})

test('a month that is not archived is not taken out', async () => {
  await expect(detach()).rejects.toThrow('is not archived')
})

test('archiving writes every month once, as it is', async () => {
  const count = await countIn(last)
  expect(await run(usageArchive, '--before', cut, '--to', directory, '--dry-run')).toContain(
    `${last}: ${count} transactions`,
  )
  expect(fs.readdirSync(directory)).toEqual([])
  const months = (await listUsageMonths(portal.db)).filter((month) => month < cut)
  expect(await archive()).toBe(`${months.length} months written to ${directory} and checked, 0 months there already`)
  expect(await archive()).toBe(`0 months written to ${directory} and checked, ${months.length} months there already`)
  const text = zlib.gunzipSync(fs.readFileSync(fileOf(last))).toString()
  expect(text).toMatch(/^transaction_number,customer_number,/)
  expect(text.trim().split('\n')).toHaveLength(count + 1)
  const noted = (await listArchivedMonths(portal.db)).find(({ month }) => month === `${last}-01`)
  expect(noted).toMatchObject({ transactions: String(count), archived_by: 'operator', detached_at: null })
  const manifest = JSON.parse(fs.readFileSync(path.join(directory, `usage-${last}.json`), 'utf8'))
  const { file, sha256, transactions, charge, hours } = noted ?? {}
  expect(manifest).toMatchObject({ month: `${last}-01`, file, sha256, transactions, charge, hours })
})

test('what arrived since, and a file that is another one, stop it before anything is changed', async () => {
  const months = await listUsageMonths(portal.db)
  const count = await countIn(last)
  await portal.sendUsage([usage('LA', start(last) + 60 * MINUTE)])
  await expect(detach()).rejects.toThrow(`${last} has ${count + 1} transactions, its archive ${count}`)
  expect(await archive()).toMatch(/^1 month written/)
  const kept = fs.readFileSync(fileOf(last))
  fs.writeFileSync(fileOf(last), kept.subarray(0, -1))
  await expect(detach()).rejects.toThrow('is not the file that was archived')
  fs.writeFileSync(fileOf(last), kept)
  expect(await listUsageMonths(portal.db)).toEqual(months)
})

test('statements, chargebacks and charts are the same when the transactions are gone', async () => {
  const before = await told()
  expect(JSON.stringify(before)).toContain('"total":"-1.25"')
  expect(await detach()).toMatch(/taken out of the database$/)
  expect((await listUsageMonths(portal.db))[0]).toBe(cut)
  expect(await told()).toEqual(before)
  expect(await run(usageCheck, 'all')).toContain('are those of their transactions')
  await run(usageRebuild, 'all')
  expect(await told()).toEqual(before)
  expect(await driftedDays(portal.db)).toEqual([])
})

test('screens and exports say what is archived', async () => {
  const olivia = await portal.asOlivia()
  const answer = await olivia(lastUpdatedOn, { query: { customerNumber: 'LA' } })
  expect(answer.body.archivedBefore).toBe(`${cut}-01`)
  expect((await olivia(usageList.page, { body: { customerNumber: 'LA' } })).body.data).toHaveLength(1)
  expect(await run(exportFile, 'usage', path.join(directory, 'all.csv'))).toContain(archivedNotice(`${cut}-01`))
  const body = { customerNumber: 'LA', from: `${last}-15`, to: `${cut}-02` }
  const { products } = (await olivia(getOptimization, { body })).body.data as { products: { peak: unknown }[] }
  expect(products).toMatchObject([{ peak: null }])
})

test('nothing is booked in an archived month, and what was booked there is known', async () => {
  const before = await told()
  const { lines } = await portal.sendUsage([
    usage('LA', start(last), { id: 'LA-wing' }),
    usage('LA', start(last), { id: 'late' }),
    usage('LA', start(cut) + 45 * MINUTE, { correctionOf: 'LA-wing', charge: '-1' }),
    usage('LA', start(first) - 100 * 24 * 60 * MINUTE),
  ])
  expect(codesOf(lines)).toEqual(['SUCCESS', 'MONTH_ARCHIVED', 'UNKNOWN_ORIGINAL', 'MONTH_ARCHIVED'])
  expect(lines[1]?.err).toContain(`before ${cut}-01`)
  // A refused line can be sent again.
  expect(codesOf((await portal.sendUsage([usage('LA', start(last), { id: 'late' })])).lines)).toEqual([
    'MONTH_ARCHIVED',
  ])
  await expect(
    sql`select ensure_usage_partitions(${new Date(start(last))}, ${new Date(start(last))})`.execute(portal.db),
  ).rejects.toThrow('is archived')
  expect(await told()).toEqual(before)
})

test('a new time zone leaves the days of archived months as they were', async () => {
  const move = (zone: string) =>
    portal.db.updateTable('account').set({ time_zone: zone }).where('customer_number', '=', 'BERLIN').execute()
  const before = await told()
  await move('America/Los_Angeles')
  expect(await driftedDays(portal.db)).toEqual([])
  await move('Europe/Berlin')
  expect(await told()).toEqual(before)
})

test('months come back one after the other, the newest first', async () => {
  const before = await told()
  await expect(run(usageRestore, fileOf(first))).rejects.toThrow(`usage-${last}.csv.gz is the next one`)
  expect(await run(usageRestore, fileOf(last))).toBe(`${last} is back: ${await countIn(last)} transactions`)
  expect((await listUsageMonths(portal.db)).slice(0, 2)).toEqual([last, cut])
  const olivia = await portal.asOlivia()
  expect((await olivia(usageList.page, { body: { customerNumber: 'LA' } })).body.data).toHaveLength(6)
  expect(await told()).toEqual(before)
  expect(await driftedDays(portal.db)).toEqual([])
  const { lines } = await portal.sendUsage([
    usage('LA', start(last) + 70 * MINUTE, { id: 'late' }),
    usage('LA', start(last) + 70 * MINUTE, { correctionOf: 'LA-wing', charge: '-1' }),
  ])
  expect(codesOf(lines)).toEqual(['SUCCESS', 'SUCCESS'])
  await archive()
  const now = await told()
  await detach()
  expect(await told()).toEqual(now)
  expect(await driftedDays(portal.db)).toEqual([])
  const actions = await portal.db.selectFrom('audit_log').select('action').where('action', 'like', 'usage.%').execute()
  expect(new Set(actions.map(({ action }) => action))).toEqual(
    new Set(['usage.archive', 'usage.detach', 'usage.rebuild', 'usage.restore']),
  )
})
