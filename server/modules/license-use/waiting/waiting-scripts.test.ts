import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sendObservations } from '#contract/license-use/observations.ts'
import * as waiting from '#contract/license-use/waiting/waiting.ts'
import { ADA } from '#server/testing/activations.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { lmstatOutput, type ShownHolder } from '#server/testing/lmstat-output.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

/* The example scripts as they are, against the real portal. */

const customerNumber = '100001'
const SCRIPTS = path.resolve('examples/license-collector')
let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
let env: NodeJS.ProcessEnv
let folder: string
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  const PORTAL = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { token: TOKEN } = await giveApiToken(portal, { scopes: ['license-use:write'] })
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waiting-scripts-'))
  env = { PATH: process.env.PATH, PORTAL, TOKEN, CUSTOMER: customerNumber, INTERVAL: '0.1' }
})
afterAll(async () => {
  await portal.close()
  fs.rmSync(folder, { recursive: true })
})

async function report(feature: string, seats: number, holders: ShownHolder[], serverId = '3cecef4b7d10') {
  portal.clock.forward(60_000)
  const text = lmstatOutput({ at: portal.clock.now(), feature, seats, holders })
  await ada(sendObservations, { body: { customerNumber, serverId, observations: [{ text }] } })
}

function run(script: string, args: string[], more: NodeJS.ProcessEnv = {}) {
  const child = spawn('/bin/sh', [path.join(SCRIPTS, script), ...args], { env: { ...env, ...more } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += String(text)
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, errors }))
  return { child: child as ChildProcess, ended }
}
async function lineOf(feature: string): Promise<waiting.WaitingRow[]> {
  const filter = { condition: 'ALL', criteria: [{ name: 'feature', method: 'EQUALS', value: feature }] }
  return (await ada(waiting.waitingList.page, { body: { customerNumber, filter } })).body.data as waiting.WaitingRow[]
}
const inLine = (feature: string, user: string) =>
  until(async () => (await lineOf(feature)).some((row) => row.user === user), `${user} is not in line`)

const TAKEN: ShownHolder[] = [['max', '1:00']]

test('free-seats.sh --wait gets in line, and ends when its seat is free', async () => {
  await report('wait', 1, TAKEN)
  const job = run('free-seats.sh', ['--wait', 'wait', '1', '30'], { USER_NAME: 'batch' })
  await inLine('wait', 'batch')
  // A second job of the same user waits until the first one has its seat.
  const second = run('free-seats.sh', ['--wait', 'wait', '1', '30'], { USER_NAME: 'batch' })
  await report('wait', 1, [])
  expect(await job.ended).toEqual({ code: 0, errors: '' })
  await report('wait', 1, [['batch', '2:00']])
  await inLine('wait', 'batch')
  await report('wait', 1, [])
  expect(await second.ended).toEqual({ code: 0, errors: '' })
})

test('free-seats.sh --wait leaves the line when it is stopped', async () => {
  await report('stopped', 1, TAKEN)
  const { child, ended } = run('free-seats.sh', ['--wait', 'stopped'], { USER_NAME: 'batch' })
  await inLine('stopped', 'batch')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 1 })
  expect(await lineOf('stopped')).toEqual([])
})

test('free-seats.sh says why it cannot wait', async () => {
  await report('refused', 1, TAKEN)
  expect(await run('free-seats.sh', ['--wait', 'refused', '2']).ended).toEqual({
    code: 2,
    errors: 'No license server has 2 seats of refused.\n',
  })
  expect(await run('free-seats.sh', ['refused', '1', '1']).ended).toMatchObject({ code: 1 })
  await report('refused', 1, [])
  expect(await run('free-seats.sh', ['refused', '1', '1']).ended).toMatchObject({ code: 0 })
})

/** Behaves as sacctmgr of Slurm does with resources, which it keeps in a file, and notes what it is asked. */
const FAKE_SACCTMGR = `#!/bin/sh
set -eu
echo "$*" >> "$FAKE/calls"
case "$*" in
  '-nP show resource where server='*' format=name,count,lastconsumed') cat "$FAKE/resources" ;;
  '-i modify resource where name='*' set count='*)
    name=\${5#name=} count=\${8#count=} consumed=\${9:-}
    awk -F '|' -v OFS='|' -v name="$name" -v count="$count" -v consumed="\${consumed#lastconsumed=}" \\
      '$1 == name { $2 = count; if (consumed != "") $3 = consumed } { print }' "$FAKE/resources" > "$FAKE/next"
    mv "$FAKE/next" "$FAKE/resources" ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac
`

test('slurm-sync.sh keeps the resources of Slurm in step, and changes only what differs', async () => {
  const bin = path.join(folder, 'bin')
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, 'sacctmgr'), FAKE_SACCTMGR, { mode: 0o755 })
  const resources = path.join(folder, 'resources')
  const calls = path.join(folder, 'calls')
  fs.writeFileSync(resources, 'cfd|4|0\nmesh|4|0\nother|9|9\n')
  const sync = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    run('slurm-sync.sh', args, { FAKE: folder, PATH: `${bin}:${process.env.PATH}`, ...more }).ended
  const read = () => fs.readFileSync(resources, 'utf8')
  const changes = () =>
    fs
      .readFileSync(calls, 'utf8')
      .split('\n')
      .filter((line) => line.includes('modify')).length

  await report('cfd', 4, [...TAKEN, ['ann', '1:00', 2]])
  await report('mesh', 4, [], '9-77e0d1f5')
  expect(await sync(['cfd', 'mesh'])).toEqual({ code: 0, errors: '' })
  expect(read()).toBe('cfd|4|3\nmesh|4|0\nother|9|9\n')
  expect(changes()).toBe(1)
  expect(await sync(['cfd', 'mesh'])).toEqual({ code: 0, errors: '' })
  expect(changes()).toBe(1)

  // Seats on several license servers are one resource.
  await report('mesh', 2, TAKEN, '9-77e0d1f5')
  await report('mesh', 6, TAKEN)
  expect(await sync(['mesh'])).toMatchObject({ code: 0 })
  expect(read()).toBe('cfd|4|3\nmesh|8|2\nother|9|9\n')

  await report('cfd', 5, TAKEN)
  expect(await sync(['cfd'], { COUNT_ONLY: '1' })).toMatchObject({ code: 0 })
  expect(read()).toBe('cfd|5|3\nmesh|8|2\nother|9|9\n')

  const { code, errors } = await sync(['nothing', 'mesh', 'cfd'])
  expect(code).toBe(1)
  expect(errors).toContain('The seats of nothing are not known. Nothing was changed.')
  expect(read()).toContain('cfd|5|1')
  await report('unnamed', 1, TAKEN)
  expect((await sync(['unnamed'])).errors).toContain('Slurm has no resource unnamed of the server flexnet.')
  expect(await sync(['cfd'], { TOKEN: 'wrong' })).not.toMatchObject({ code: 0 })
})
