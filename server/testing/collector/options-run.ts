import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '#server/demo/random.ts'
import { sealFile, sha256Of } from '#server/modules/options-files/sealed-file.ts'
import { killCollectors, startCollector } from '#server/testing/collector/collector-process.ts'
import { until } from '#server/testing/until.ts'

/** Characters of a file: writing it takes long enough to be interrupted. */
const LENGTH = 240_000

/**
 * Saves version after version while the collector that installs them is killed again and again. Some answers are cut off, changed or older.
 * Returns what was ever seen on the disk that is no whole file.
 */
export async function runInstalls(seed: string, kills: number) {
  const random = seededRandom(seed)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'options-run-'))
  const file = path.join(folder, 'sim.opt')
  const readBy = path.join(folder, 'read-by-daemon')
  const original = '# written by hand\nMAX 1 solver USER ann\n'
  fs.writeFileSync(file, original)
  const reread = path.join(folder, 'lmreread')
  fs.writeFileSync(reread, `#!/bin/sh\ncp "${file}" "${readBy}.part" && mv "${readBy}.part" "${readBy}"\n`, {
    mode: 0o755,
  })
  const published = new Set([original])
  const versions: string[] = []
  const save = () => {
    const version = versions.length + 1
    const rules = `MAX ${version} solver USER ann\n# ${'x'.repeat(LENGTH)}\n`
    versions.push(sealFile(rules, { daemon: 'sim', version, edition: version, day: '2026-11-19' }))
    published.add(versions.at(-1)!)
  }
  save()
  let requests = 0
  const reports: { version: number; outcome: string; sha256: string }[] = []
  const server = http.createServer(async (request, answer) => {
    if (request.method === 'POST') {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      if (random.chance(0.2)) return void request.socket.destroy()
      reports.push(JSON.parse(Buffer.concat(pieces).toString()))
      return void answer.end('{}')
    }
    requests += 1
    const text = versions.at(-1)!
    const tag = `"${sha256Of(text.slice(0, text.lastIndexOf('# licensing-portal')))}"`
    const kind = random.weighted([
      ['whole', 6],
      ['cut off', 2],
      ['without its end', 2],
      ['changed', 1],
      ['older', 2],
    ] as const)
    if (kind === 'older') return void answer.end(versions[random.integer(0, versions.length - 1)])
    if (kind === 'without its end') return void answer.end(text.slice(0, random.integer(0, text.length - 1)))
    if (kind === 'changed') return void answer.end(text.replace('MAX', 'MIN'))
    if (kind === 'cut off') {
      answer.writeHead(200, { 'content-length': text.length })
      answer.write(text.slice(0, LENGTH / 2))
      return void setTimeout(() => request.socket.destroy(), 5)
    }
    if (request.headers['if-none-match'] === tag) return void answer.writeHead(304).end()
    answer.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const faults = new Set<string>()
  let reads = 0
  const look = () => {
    const text = fs.readFileSync(file, 'utf8')
    reads += 1
    if (!published.has(text)) faults.add(`${text.length} characters that were never saved: ${text.slice(0, 60)}`)
  }
  const start = () =>
    startCollector({
      PORTAL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      TOKEN: 'lpc_test',
      SERVER_ID: '3cecef4b7d10',
      OPTIONS_FILE: file,
      REREAD: `"${reread}"`,
      STATE_FOLDER: path.join(folder, 'state'),
      INTERVAL_SECONDS: '0.005',
    })
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      look()
      await sleep(1)
    }
  })()
  let withinWrite = 0
  const seenAtKill = new Set<string>()
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      save()
      const before = requests
      await start()
      // Anywhere between the answer, the write, the rename, the reread and the report.
      await until(() => requests > before, `seed ${seed}: the collector does not ask`)
      await sleep(random.integer(0, 40))
      await killCollectors()
      if (fs.readdirSync(folder).some((name) => name.endsWith('.tmp'))) withinWrite += 1
      look()
      seenAtKill.add(fs.readFileSync(file, 'utf8').slice(0, 40))
    }
    await start()
    const newest = versions.at(-1)!
    await until(() => fs.readFileSync(file, 'utf8') === newest, `seed ${seed}: the newest version is not installed`)
    await until(
      () => fs.existsSync(readBy) && fs.readFileSync(readBy, 'utf8') === newest,
      `seed ${seed}: the vendor daemon has not read the newest version`,
    )
    const isLast = ({ version, outcome }: (typeof reports)[number]) =>
      version === versions.length && outcome === 'installed'
    await until(() => reports.some(isLast), `seed ${seed}: the newest version was not reported`)
    return { faults: [...faults], reads, kills, withinWrite, versionsAtKills: seenAtKill.size }
  } finally {
    isOver = true
    await watching
    await killCollectors()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    fs.rmSync(folder, { recursive: true })
  }
}
