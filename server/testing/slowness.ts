import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** What the two samples take on a quiet machine with two cores, in milliseconds. */
const QUIET = { processor: 130, disk: 50 }
/** On a slower machine a limit would no longer end anything that hangs. */
const MAX_SLOWNESS = 10

/**
 * How many times as long this machine takes as a quiet one. Measured once when a test run begins: the processes that
 * the run starts inherit it.
 */
export const SLOWNESS = Number(process.env.TEST_SLOWNESS ?? measureSlowness().toFixed(1))
process.env.TEST_SLOWNESS = String(SLOWNESS)

/** A time limit of a test in milliseconds: given for a quiet machine, and longer on a slow or busy one. */
export const limit = (milliseconds: number): number => Math.round(milliseconds * SLOWNESS)

function measureSlowness(): number {
  const slowness = Math.max(timed(useProcessor) / QUIET.processor, timed(useDisk) / QUIET.disk)
  return Math.min(Math.max(slowness, 1), MAX_SLOWNESS)
}

function timed(work: () => void): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

function useProcessor(): void {
  let text = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: `user${id}`, seats: [id, id + 1] })))
  for (let round = 0; round < 100; round += 1) text = JSON.stringify(JSON.parse(text))
}

function useDisk(): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'slowness-'))
  const file = fs.openSync(path.join(folder, 'file'), 'w')
  const page = Buffer.alloc(16_384)
  for (let round = 0; round < 20; round += 1) {
    fs.writeSync(file, page)
    fs.fsyncSync(file)
  }
  fs.closeSync(file)
  fs.rmSync(folder, { recursive: true })
}
