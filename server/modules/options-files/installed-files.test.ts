import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  getOptionsFile,
  type OptionsAnswer,
  type OptionsInstall,
  saveOptionsFile,
  saveReservation,
} from '#contract/options-files/options-files.ts'
import { ADA } from '#server/testing/activations.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { killCollectors, startCollector } from '#server/testing/collector/collector-process.ts'
import { runInstalls } from '#server/testing/collector/options-run.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const SERVER = { customerNumber: '100001', serverId: '3cecef4b7d10' }
let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
let folder: string
let address: string
let token: string
beforeAll(async () => {
  portal = await startPortal()
  address = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  ada = await portal.as(ADA)
  token = (await giveApiToken(portal, { scopes: ['license-use:write'] })).token
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'installed-'))
})
afterEach(killCollectors)
afterAll(async () => {
  await portal.close()
  fs.rmSync(folder, { recursive: true })
})

const read = async () => ((await ada(getOptionsFile, { body: SERVER })).body.data as OptionsAnswer).file!
async function save(text: string): Promise<number> {
  const { daemon, revision } = await read()
  const { body } = await ada(saveOptionsFile, { body: { ...SERVER, daemon, text, revision } })
  expect(body).toMatchObject({ status: 'SUCCESS' })
  return (body.data as { version: number }).version
}
const reported = async (isMeant: (install: OptionsInstall) => boolean) =>
  until(async () => (await read()).installs.some(isMeant), 'the collector has not reported')

test('the collector installs what is saved, with the reservations of today, and reports what the vendor daemon says', async () => {
  const { daemon, features, today } = await read()
  const { feature } = features.find(({ seats }) => (seats ?? 0) > 0)!
  const file = path.join(folder, `${daemon}.opt`)
  fs.writeFileSync(file, '# by hand\n', { mode: 0o640 })
  const script = path.join(folder, 'lmreread')
  const rereads = () =>
    fs.existsSync(`${script}.log`) ? fs.readFileSync(`${script}.log`, 'utf8').split('\n').length - 1 : 0
  const answer = (text: string, code: number) =>
    fs.writeFileSync(script, `#!/bin/sh\necho $1 >> "${script}.log"\necho "${text}"\nexit ${code}\n`, { mode: 0o755 })
  answer('lmreread successful', 0)
  const start = (env: NodeJS.ProcessEnv = {}) =>
    startCollector({
      PORTAL: address,
      TOKEN: token,
      SERVER_ID: SERVER.serverId,
      OPTIONS_FILE: file,
      REREAD: `"${script}" ${daemon}`,
      STATE_FOLDER: path.join(folder, 'state'),
      ...env,
    })
  const collector = await start()
  const says = () => collector.printed().split('options file not found').length - 1
  await until(() => says() > 0, 'the collector does not say that there is no file')
  const first = await save('GROUP crash ann bea\n')
  await reported(({ version, isCurrent }) => version === first && isCurrent)
  expect(says()).toBe(1)
  expect(fs.readFileSync(file, 'utf8')).toMatch(/^GROUP crash ann bea\n# licensing-portal .*\n$/)
  expect(fs.readFileSync(`${file}.previous`, 'utf8')).toBe('# by hand\n')
  expect(fs.statSync(file).mode & 0o777).toBe(0o640)
  expect(rereads()).toBe(1)

  const reservation = { feature, group: 'crash', seats: 1, from: today, to: today, weekdays: [1, 2, 3, 4, 5, 6, 7] }
  await ada(saveReservation, { body: { ...SERVER, daemon, ...reservation } })
  await until(() => fs.readFileSync(file, 'utf8').includes(`\nRESERVE 1 ${feature} GROUP crash\n`), 'no reservation')
  await until(() => rereads() === 2, 'not read again')

  answer('lmreread failed: cannot connect to license server system. (-15,10)', 0)
  const second = await save('GROUP crash ann bea chris\n')
  await reported(
    ({ version, outcome, message }) => version === second && outcome === 'failed' && /-15,10/.test(message ?? ''),
  )
  answer('', 0)
  await reported(({ version, outcome, isCurrent }) => version === second && outcome === 'installed' && isCurrent)

  fs.appendFileSync(file, '# changed on the machine\n')
  await reported(({ outcome, message }) => outcome === 'refused' && /changed on this machine/.test(message ?? ''))
  expect(fs.readFileSync(file, 'utf8')).toContain('# changed on the machine\n')
  const third = await save('GROUP crash ann\n')
  await reported(({ version, isCurrent }) => version === third && isCurrent)
  await killCollectors()

  // Without its configuration, nothing is installed.
  const before = fs.readFileSync(file, 'utf8')
  await save('GROUP crash ann bea\n')
  const log = path.join(folder, 'debug.log')
  fs.writeFileSync(log, '1:00:00 (lmgrd) TIMESTAMP 11/19/2026\n')
  const child = await start({ OPTIONS_FILE: '', LOG: log })
  await until(() => fs.existsSync(path.join(folder, 'state', 'state.json')), 'the collector has not run')
  expect(child.printed()).not.toContain('options file')
  expect(fs.readFileSync(file, 'utf8')).toBe(before)
})

test('a service key cannot install options files', async () => {
  const child = await startCollector({
    PORTAL: address,
    TOKEN: 'lpk_key',
    SERVER_ID: SERVER.serverId,
    OPTIONS_FILE: path.join(folder, 'x.opt'),
    STATE_FOLDER: path.join(folder, 'state-2'),
  })
  await until(() => child.exitCode !== null, 'the collector runs')
  expect(child.exitCode).not.toBe(0)
})

test('the collector leaves the old or the new options file when it is killed, never a part', async () => {
  const { faults, reads } = await runInstalls('sample', 4)
  expect(faults).toEqual([])
  expect(reads).toBeGreaterThan(4)
})
