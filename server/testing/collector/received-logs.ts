import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from '#server/demo/random.ts'
import { BANNER_TIME } from '#server/testing/collector/rotating-log.ts'

type Part = { file: string; position: number; text: string }

/** Takes parts of logs as the portal does, by file and position. Some calls fail, before or after the part is taken. */
export async function receiveLogs(random: Random) {
  const files = new Map<string, Map<number, string>>()
  const faults: string[] = []
  function keep({ file, position, text }: Part): void {
    const parts = files.get(file) ?? new Map<number, string>()
    files.set(file, parts)
    const known = parts.get(position)
    if (known !== undefined && known !== text) faults.push(`${file} has two texts at ${position}`)
    parts.set(position, text)
  }
  const server = http.createServer(async (request, answer) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { observations } = JSON.parse(Buffer.concat(pieces).toString()) as { observations: Part[] }
    if (random.chance(0.05)) return void answer.writeHead(503).end('{}')
    observations.forEach(keep)
    if (random.chance(0.05)) return void request.socket.destroy()
    answer.end(JSON.stringify({ status: 'SUCCESS', data: observations.map(() => ({ outcome: 'stored' })) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All lines of all files, without those that all files have. A file with a gap or an overlap is a fault. */
    lines(): string[] {
      return [...files.values()]
        .flatMap((parts) => textOf(parts).split('\n'))
        .filter((line) => line && !line.startsWith(BANNER_TIME))
    },
    faults(): string[] {
      const gaps = [...files]
        .filter(([, parts]) => !isContiguous(parts))
        .map(([file]) => `${file} has a gap or an overlap`)
      return [...faults, ...gaps]
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const sorted = (parts: Map<number, string>) => [...parts].sort(([one], [other]) => one - other)

const textOf = (parts: Map<number, string>) =>
  sorted(parts)
    .map(([, text]) => text)
    .join('')

function isContiguous(parts: Map<number, string>): boolean {
  let end = 0
  for (const [position, text] of sorted(parts)) {
    if (position !== end) return false
    end += Buffer.byteLength(text)
  }
  return true
}
