import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Random } from '#server/demo/random.ts'

/** The time of the first lines of lmgrd, which are the same in every file when it is started at the same time of every day. */
export const BANNER_TIME = '0:00:00'
const BANNER = `${BANNER_TIME} (lmgrd) -----------------------------------------------\n`.repeat(18)

/** A debug log that is written and rotated in every way that people use. Every line is another one. */
export function createRotatingLog(folder: string, random: Random) {
  const log = path.join(folder, 'debug.log')
  const written: string[] = []
  let second = 0
  let day = 20_261_101
  let isNew = true

  function line(said: string): string {
    second += 1
    const two = (value: number) => String(value).padStart(2, '0')
    const text = `${Math.floor(second / 3600)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)} ${said}`
    written.push(text)
    return text
  }

  /** A writer does not stop at the ends of lines. */
  function append(file: string, text: string): void {
    const half = random.integer(0, text.length)
    fs.appendFileSync(file, text.slice(0, half))
    fs.appendFileSync(file, text.slice(half))
  }

  function linesOf(count: number): string {
    const lines = Array.from({ length: count }, () => line(`(sim) OUT: "solver" user${written.length}@pc  `))
    return lines.map((text) => `${text}\n`).join('')
  }

  function write(count = random.integer(1, 80)): void {
    const head = isNew ? `${BANNER}${line('(lmgrd) TIMESTAMP 11/19/2026')}\n` : ''
    isNew = false
    append(log, head + linesOf(count))
  }

  const rotated = () => fs.readdirSync(folder).filter((name) => /^debug[.-].*\d/.test(name) && isFile(name))
  const isFile = (name: string) => fs.lstatSync(path.join(folder, name)).isFile()

  /** As logrotate does: each number becomes the next one. */
  function freeFirst(): string {
    const numbered = rotated().flatMap((name) => {
      const [, number, packed = ''] = /^debug[.]log[.](\d+)([.]gz)?$/.exec(name) ?? []
      return number ? [{ number: Number(number), packed }] : []
    })
    const named = (number: number, packed: string) => path.join(folder, `debug.log.${number}${packed}`)
    for (const { number, packed } of numbered.sort((one, other) => other.number - one.number))
      fs.renameSync(named(number, packed), named(number + 1, packed))
    return path.join(folder, 'debug.log.1')
  }

  function freeName(): string {
    if (random.chance(0.5)) return freeFirst()
    day += 1
    return path.join(folder, random.chance(0.5) ? `debug-${day}.log` : `debug.log-${day}`)
  }

  const steps = {
    write: () => write(),
    writeMuch: () => write(random.integer(200, 2000)),
    rename() {
      if (random.chance(0.2)) append(log, line('(sim) OUT: "solver" cut'))
      const renamed = freeName()
      fs.renameSync(log, renamed)
      isNew = true
      // The license server still has the renamed file open.
      if (random.chance(0.3)) append(renamed, `\n${linesOf(3)}`)
    },
    async copyAndCut() {
      const copy = freeName()
      const bytes = fs.readFileSync(log)
      for (let from = 0; from < bytes.length; ) {
        const to = from + random.integer(1, bytes.length)
        fs.appendFileSync(copy, bytes.subarray(from, to))
        from = to
        await sleep(random.integer(0, 30))
      }
      if (random.chance(0.3)) fs.copyFileSync(log, path.join(folder, 'debug.log.bak'))
      fs.truncateSync(log)
      isNew = true
    },
    /** As gzip does: the packed file is there before the other one is removed. */
    async pack() {
      const plain = rotated().filter((name) => !name.endsWith('.gz'))
      if (!plain.length) return
      const file = path.join(folder, random.pick(plain))
      const { atime, mtime } = fs.statSync(file)
      const bytes = gzipSync(fs.readFileSync(file))
      const half = random.integer(0, bytes.length)
      fs.writeFileSync(`${file}.gz`, bytes.subarray(0, half))
      await sleep(random.integer(0, 20))
      fs.appendFileSync(`${file}.gz`, bytes.subarray(half))
      if (random.chance(0.8)) fs.utimesSync(`${file}.gz`, atime, mtime)
      fs.rmSync(file)
    },
    makeTimesEqual() {
      for (const name of rotated()) fs.utimesSync(path.join(folder, name), 1_800_000_000, 1_800_000_000)
    },
  }
  return {
    steps,
    written,
    hasLog: () => fs.existsSync(log) && fs.statSync(log).size > 0,
  }
}
