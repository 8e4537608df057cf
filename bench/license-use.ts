import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { debugLog } from '#bench/kit/debug-log.ts'
import { milliseconds, table, verdict } from '#bench/kit/figures.ts'
import { busyness } from '#bench/kit/machine.ts'
import { openPortal } from '#bench/kit/open-portal.ts'
import { saveResults } from '#bench/kit/results.ts'
import { getFeatureUse, getLicenseUse } from '#contract/license-use/license-use.ts'
import { startLogUpload, UPLOAD_PART, uploadLogPart } from '#contract/license-use/uploads.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { systemClock } from '#server/doors/clock.ts'

/*
 * A debug log of a month through the upload: how long sending, reading and summing take, and how much memory the portal
 * needs. Then pages of that month. `node bench/license-use.ts 1024` takes a log of 1 GB, the default; smaller trials keep no
 * results.
 */
const HEADING = 'Use of license servers'
const MEGABYTES = Number(process.argv[2] ?? 1024)
const SIZE = MEGABYTES * 1024 * 1024
const FOLDER = '.data-bench/license-use'
const RUNS = 20
const customerNumber = '100001'
const serverId = '3cecef4b7d10'
const DAYS = 30

fs.rmSync(FOLDER, { recursive: true, force: true })
const today = dayIn('UTC', systemClock.now())
const portal = await openPortal(FOLDER, async ({ db }) => {
  await loadDemo(db, { now: systemClock.now(), usageTransactions: 1000, progress: () => {} })
})

let most = 0
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss())
}, 100)
const uploadId = crypto.randomUUID()
const started = performance.now()
let position = 0
for (const file of debugLog(SIZE, { from: addDays(today, -DAYS), days: DAYS, part: UPLOAD_PART })) {
  await portal.send(uploadLogPart, { customerNumber, uploadId, position: String(position), file })
  position += file.length
}
const sent = performance.now()
const cpuBefore = process.cpuUsage()
await portal.post(startLogUpload, { customerNumber, serverId, uploadId, fileName: 'debug.log', size: position })
const { rows: tasks } = await waitForTask()
const read = performance.now()
clearInterval(watch)
const cpu = process.cpuUsage(cpuBefore)
const { rows } = await portal.pool.query(
  `select count(*)::int as checkouts, (select count(*)::int from license_denial) as denials from license_checkout where host_id = '${serverId}'`,
)
await portal.pool.query('vacuum analyze')

const month = { customerNumber, from: addDays(today, -DAYS), to: today }
const pages: string[][] = []
for (const [what, run] of [
  ['all features of the account', () => portal.post(getLicenseUse, month)],
  [
    'one feature with heat map, users and holders',
    () => portal.post(getFeatureUse, { ...month, serverId, feature: 'feature_7' }),
  ],
] as const) {
  const times: number[] = []
  for (let at = -3; at < RUNS; at++) {
    const from = performance.now()
    await run()
    if (at >= 0) times.push(performance.now() - from)
  }
  times.sort((one, other) => one - other)
  const [median, p95] = [times[RUNS / 2] ?? 0, times[Math.floor(RUNS * 0.95)] ?? 0]
  pages.push([what, milliseconds(median), milliseconds(p95), `under 50 ms: ${verdict(median < 50)}`])
}

const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`
const section = `A debug log of ${MEGABYTES} MB (${(rows[0] as { checkouts: number }).checkouts.toLocaleString('en')} checkouts, ${(rows[0] as { denials: number }).denials.toLocaleString('en')} denials in ${DAYS} days), through the upload: sent in ${seconds(started, sent)}, read and summed in ${seconds(sent, read)} with ${(cpu.user / 1e6).toFixed(0)} s of the portal's CPU. The portal's memory was ${(most / 1024 / 1024).toFixed(0)} MB at most, the client's included (task ${tasks}).

${table(['page of that month', 'median', 'p95', 'target'], pages)}

Load average ${busyness().toFixed(1)}.`
console.log(section)
if (MEGABYTES === 1024) saveResults({ sections: [[HEADING, section]] })
await portal.close()
execFileSync('rm', ['-rf', FOLDER])
process.exit(0)

async function waitForTask(): Promise<{ rows: string }> {
  for (;;) {
    const { rows: found } = await portal.pool.query(
      'select state from background_task order by requested_at desc limit 1',
    )
    const state = (found[0] as { state: string } | undefined)?.state
    if (state !== 'waiting' && state !== 'running') return { rows: String(state) }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
