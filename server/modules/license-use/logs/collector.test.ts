import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '#server/demo/random.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { killCollectors, startCollector } from '#server/testing/collector/collector-process.ts'
import { receiveLogs } from '#server/testing/collector/received-logs.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const SERVER = '3cecef4b7d10'
let portal: Portal
let folder: string
let address: string
let token: string
beforeAll(async () => {
  portal = await startPortal()
  address = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  token = (await giveApiToken(portal, { scopes: ['license-use:write'] })).token
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'collector-'))
})
afterEach(killCollectors)
afterAll(async () => {
  await portal.close()
  fs.rmSync(folder, { recursive: true })
})

const start = (env: NodeJS.ProcessEnv = {}, through: readonly string[] = []) =>
  startCollector(
    {
      PORTAL: address,
      TOKEN: token,
      SERVER_ID: SERVER,
      LOG: path.join(folder, 'debug.log'),
      STATE_FOLDER: path.join(folder, 'state'),
      ...env,
    },
    through,
  )

const countRead = async () => {
  const { rows } = await sql<{ count: number; names: number }>`
    select count(*)::int as count, count(distinct user_name)::int as names from license_checkout
     where customer_number = '100001' and host_id = ${SERVER}`.execute(portal.db)
  return rows[0]!
}

test('a log that grows, rotates, is packed and is cut off arrives whole and once, although the collector is killed again and again', async () => {
  const log = path.join(folder, 'debug.log')
  const day = portal.clock.now().toISOString().slice(0, 10)
  const [year, month, date] = day.split('-').map(Number)
  let written = 0
  let second = 0
  let isNew = true
  const write = (count: number) => {
    const stamp = () => {
      const two = (value: number) => String(value).padStart(2, '0')
      return `${Math.floor(second / 3600)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`
    }
    let text = isNew ? `${stamp()} (lmgrd) TIMESTAMP ${month}/${date}/${year}\n` : ''
    isNew = false
    for (let made = 0; made < count; made += 1) {
      written += 1
      second += 1
      text += `${stamp()} (sim) OUT: "solver" user${written}-J\u00fcrgen@pc${written}  \n`
    }
    // A writer does not stop at the ends of lines.
    const half = Math.floor(text.length / 2)
    fs.appendFileSync(log, text.slice(0, half))
    fs.appendFileSync(log, text.slice(half))
  }
  const rename = (name: string) => {
    fs.renameSync(log, path.join(folder, name))
    isNew = true
    // The log of another vendor is newer.
    const other = `1:00:00 (lmgrd) TIMESTAMP ${month}/${date}/${year}\n1:00:01 (sim) OUT: "solver" foreign@pc  \n`
    fs.writeFileSync(path.join(folder, 'debug-other.log'), other)
  }
  /** As gzip does: another file with the time of the first one. */
  const pack = (name: string) => {
    const file = path.join(folder, name)
    const { atime, mtime } = fs.statSync(file)
    fs.writeFileSync(`${file}.gz`, gzipSync(fs.readFileSync(file)))
    fs.utimesSync(`${file}.gz`, atime, mtime)
    fs.rmSync(file)
  }
  const caughtUp = () => until(async () => (await countRead()).count >= written, 'the log has not arrived')
  // A log that was renamed before the collector ever ran is not its own.
  write(3)
  await start()
  await caughtUp()
  await killCollectors()
  for (let round = 0; round < 14; round += 1) {
    write(40)
    await start()
    // Anywhere between reading, sending and waiting.
    await sleep((round * 37) % 200)
    await killCollectors()
    if (round % 4 === 1) {
      // Renamed, with lines that were never read.
      write(7)
      rename(`debug.log.${round}`)
      if (round > 1) pack(`debug.log.${round}`)
      if (round > 8) {
        // Another file that was never read is renamed and packed before the collector runs again.
        write(5)
        rename(`debug.log.${round}.1`)
        pack(`debug.log.${round}.1`)
      }
    }
    if (round % 4 === 3) {
      await start()
      await caughtUp()
      await killCollectors()
      // Cut off after everything was read, or copied before with lines that were never read.
      if (round > 3) {
        write(8)
        fs.copyFileSync(log, path.join(folder, `debug.log.${round}`))
        // An older copy is no other log.
        fs.copyFileSync(log, path.join(folder, 'debug.log.bak'))
      }
      fs.truncateSync(log)
      isNew = true
      // Nobody could know of a file that is renamed before anything was read since the cut.
      write(1)
      await start()
      await caughtUp()
      await killCollectors()
    }
  }
  await start()
  await caughtUp()
  await killCollectors()
  expect(await countRead()).toEqual({ count: written, names: written })
  expect(fs.existsSync(path.join(folder, 'state', 'refused'))).toBe(false)
})

test('what something else than the portal answers is kept and sent again, and a command may have blanks in its path', async () => {
  const tools = path.join(folder, 'license tools')
  fs.mkdirSync(tools)
  const lmstat = path.join(tools, 'lmstat')
  fs.writeFileSync(lmstat, '#!/bin/sh\necho "Flexible License Manager status with $1"\n', { mode: 0o755 })
  let asked = 0
  const proxy = http.createServer((_, answer) => {
    answer.statusCode = [200, 400, 413][asked] ?? 200
    asked += 1
    answer.end('<html>Sign in</html>')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const state = path.join(folder, 'state of proxy')
  const { port } = proxy.address() as AddressInfo
  await start({ PORTAL: `http://127.0.0.1:${port}`, LOG: '', LMSTAT: `"${lmstat}" -a`, STATE_FOLDER: state })
  await until(async () => asked >= 4, 'nothing was sent')
  await killCollectors()
  proxy.close()
  expect(fs.existsSync(path.join(state, 'refused'))).toBe(false)
  const first = JSON.parse(fs.readFileSync(path.join(state, '000000000001.json'), 'utf8'))
  expect(first.observation.text).toBe('Flexible License Manager status with -a\n')
})

test('a file that cannot be read is reported once, and the others are read', async () => {
  const place = fs.mkdtempSync(path.join(folder, 'unreadable-'))
  const log = path.join(place, 'debug.log')
  const receiver = await receiveLogs(seededRandom('unreadable'))
  const env = { PORTAL: receiver.address, LOG: log, STATE_FOLDER: path.join(place, 'state') }
  fs.writeFileSync(log, '1:00:00 (sim) OUT: "solver" ann@pc  \n')
  const { printed } = await start(env)
  await until(() => receiver.lines().length === 1, 'the log has not arrived')
  // A packed file that is damaged, and one that cannot even be opened.
  fs.writeFileSync(`${log}.3.gz`, 'not packed')
  fs.symlinkSync('debug.log.4.gz', `${log}.4.gz`)
  fs.renameSync(log, `${log}.1`)
  fs.writeFileSync(log, '2:00:00 (sim) OUT: "solver" eve@pc  \n')
  await until(() => receiver.lines().length === 2, 'the new log has not arrived')
  fs.appendFileSync(log, '3:00:00 (sim) OUT: "solver" joe@pc  \n')
  await until(() => receiver.lines().length === 3, 'the log is not read on')
  expect(printed().match(/debug[.]log[.]3[.]gz cannot be read: incorrect header check/g)).toHaveLength(1)
  expect(printed().match(/debug[.]log[.]4[.]gz cannot be read: ELOOP/g)).toHaveLength(1)
  await killCollectors()
  await receiver.close()
})

test('a disk that is full while parts are kept loses none of them', async () => {
  const place = fs.mkdtempSync(path.join(folder, 'full-'))
  const log = path.join(place, 'debug.log')
  const receiver = await receiveLogs(seededRandom('full'))
  const env = { PORTAL: receiver.address, LOG: log, STATE_FOLDER: path.join(place, 'state') }
  const lines = Array.from({ length: 70_000 }, (_, at) => `1:00:00 (sim) OUT: "solver" user${at}@pc`)
  // The first line has arrived, so that the file is also read after it was packed.
  fs.writeFileSync(log, `${lines[0]}\n`)
  await start(env)
  await until(() => receiver.lines().length === 1, 'the log has not arrived')
  await killCollectors()
  fs.appendFileSync(log, `${lines.slice(1).join('\n')}\n`)
  fs.writeFileSync(`${log}.1.gz`, gzipSync(fs.readFileSync(log)))
  fs.rmSync(log)
  // The beginning of a part of 1 MB can be written, and the last part as a whole.
  const limited = await start(env, ['sh', '-c', 'ulimit -f 1000 && exec "$0" "$@"'])
  await until(() => limited.printed().includes('EFBIG'), 'nothing was too large')
  await killCollectors()
  // The next part, which may be the first or the second one, cannot be written at all until there is room again.
  const next = [1, 2].map((number) => path.join(place, 'state', `00000000000${number}.json.tmp`))
  for (const name of next) fs.rmSync(name, { force: true })
  for (const name of next) fs.mkdirSync(name)
  const blocked = await start(env)
  await until(() => blocked.printed().includes('EISDIR'), 'nothing was kept from being written')
  for (const name of next) fs.rmdirSync(name)
  await until(() => receiver.lines().length === lines.length, 'lines have not arrived')
  expect(receiver.lines()).toEqual(lines)
  expect(receiver.faults()).toEqual([])
  await killCollectors()
  await receiver.close()
})

test('a file without any whole line holds up neither the others nor lmstat', async () => {
  const place = fs.mkdtempSync(path.join(folder, 'begun-'))
  const log = path.join(place, 'debug.log')
  const receiver = await receiveLogs(seededRandom('begun'))
  fs.writeFileSync(log, '1:00:00 (sim) OUT')
  await start({ PORTAL: receiver.address, LOG: log, LMSTAT: 'echo status', STATE_FOLDER: path.join(place, 'state') })
  await until(() => receiver.lines().includes('status'), 'lmstat was not called')
  fs.renameSync(log, `${log}.1`)
  fs.writeFileSync(log, '2:00:00 (sim) OUT: "solver" eve@pc\n')
  await until(() => receiver.lines().includes('2:00:00 (sim) OUT: "solver" eve@pc'), 'the new log has not arrived')
  await until(() => receiver.lines().includes('1:00:00 (sim) OUT'), 'what is left of the old log has not arrived')
  await killCollectors()
  await receiver.close()
})

test('goes on when nobody reads what it prints any more', async () => {
  const place = fs.mkdtempSync(path.join(folder, 'alone-'))
  const log = path.join(place, 'debug.log')
  const receiver = await receiveLogs(seededRandom('alone'))
  const child = await start({ PORTAL: receiver.address, LOG: log, STATE_FOLDER: path.join(place, 'state') })
  child.stdout.destroy()
  fs.symlinkSync('debug.log.1', `${log}.1`)
  fs.writeFileSync(log, '1:00:00 (sim) OUT: "solver" ann@pc  \n')
  await until(() => receiver.lines().length === 1, 'the log has not arrived')
  expect(child.exitCode).toBeNull()
  await killCollectors()
  await receiver.close()
})
