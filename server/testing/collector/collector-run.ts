import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { seededRandom } from '#server/demo/random.ts'
import { killCollectors, startCollector } from '#server/testing/collector/collector-process.ts'
import { receiveLogs } from '#server/testing/collector/received-logs.ts'
import { createRotatingLog } from '#server/testing/collector/rotating-log.ts'
import { until } from '#server/testing/until.ts'

const STEPS = 40

/** A log is written and rotated at random while the collector is killed again and again. Returns what arrived and what should have. */
export async function runCollector(seed: string) {
  const random = seededRandom(seed)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'collector-run-'))
  const state = path.join(folder, 'state')
  const receiver = await receiveLogs(random)
  const counts = { kills: 0, renamed: 0, copied: 0, packed: 0 }
  try {
    leaveOlderFiles(folder)
    const start = () =>
      startCollector({
        PORTAL: receiver.address,
        TOKEN: 'lpt_test',
        SERVER_ID: '3cecef4b7d10',
        LOG: path.join(folder, 'debug.log'),
        STATE_FOLDER: state,
      })
    await start()
    await until(() => fs.existsSync(path.join(state, 'state.json')), 'the collector has not looked at the log')
    const log = createRotatingLog(folder, random)
    const { steps } = log
    let isRunning = true
    for (let step = 0; step < STEPS; step += 1) {
      const chosen = random.weighted([
        ['write', 8],
        ['writeMuch', 2],
        ['rename', 4],
        ['copyAndCut', 4],
        ['pack', 4],
        ['makeTimesEqual', 2],
        ['kill', 5],
        ['start', 5],
        ['wait', 3],
      ] as const)
      if (chosen === 'wait') await sleep(random.integer(0, 60))
      else if (chosen === 'start') {
        if (!isRunning) await start()
        isRunning = true
        await sleep(random.integer(0, 60))
      } else if (chosen === 'kill') {
        await killCollectors()
        if (isRunning) counts.kills += 1
        isRunning = false
      } else if (chosen === 'rename' || chosen === 'copyAndCut') {
        if (!log.hasLog()) continue
        await steps[chosen]()
        counts[chosen === 'rename' ? 'renamed' : 'copied'] += 1
      } else {
        await steps[chosen]()
        if (chosen === 'pack') counts.packed += 1
      }
    }
    if (!isRunning) await start()
    // The log is the last file that is looked at: when its new line has arrived, so has what was in all others.
    for (let round = 0; round < 2; round += 1) {
      const count = log.written.length
      await until(() => receiver.lines().length >= count, `seed ${seed}: lines have not arrived`, 20_000).catch(
        () => {},
      )
      steps.write()
      const last = log.written.at(-1)!
      await until(() => receiver.lines().includes(last), `seed ${seed}: the last line has not arrived`)
    }
    const faults = receiver.faults()
    if (fs.existsSync(path.join(state, 'refused'))) faults.push('something was set aside')
    return { ...counts, arrived: receiver.lines().sort(), written: log.written.toSorted(), faults }
  } finally {
    await killCollectors()
    await receiver.close()
    fs.rmSync(folder, { recursive: true })
  }
}

/** Files that were renamed before the collector ever ran, and names that cannot be read. */
function leaveOlderFiles(folder: string): void {
  const file = (name: string) => path.join(folder, name)
  fs.writeFileSync(file('debug.log.1'), '1:00:00 (sim) OUT: "solver" foreign@pc  \n'.repeat(200))
  fs.writeFileSync(file('debug.log.2.gz'), gzipSync('2:00:00 (sim) OUT: "solver" foreign@pc  \n'))
  fs.writeFileSync(file('debug.log.900.gz'), 'not packed')
  fs.mkdirSync(file('debug.log.901'))
  fs.symlinkSync('debug.log.902.gz', file('debug.log.902.gz'))
  fs.symlinkSync('debug.log.903', file('debug.log.903'))
}
