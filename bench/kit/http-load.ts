import net from 'node:net'

export type Load = {
  readonly port: number
  readonly path: string
  readonly body: unknown
  /** Connections take them in turns: the calls of one person wait for each other. */
  readonly cookies?: readonly string[]
}
export type LoadResult = {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  /** In milliseconds, sorted. */
  readonly latencies: number[]
  readonly bytes: number
}

/**
 * Sends the same request over several keep-alive connections until the time is over, one request at a time per
 * connection. Reads no more of an answer than its length: on two cores, the load generator must not become the
 * bottleneck.
 */
export async function load(
  target: Load,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const latencies: number[] = []
  let bytes = 0
  const begun = performance.now()
  const deadline = begun + seconds * 1000
  const ask = async (_: unknown, at: number) => {
    const request = requestOf(target, target.cookies?.[at % target.cookies.length])
    const connection = await connect(target.port)
    try {
      while (performance.now() < deadline) {
        const asked = performance.now()
        const received = await connection.ask(request)
        bytes += received
        latencies.push(performance.now() - asked)
      }
    } finally {
      connection.end()
    }
  }
  await Promise.all(Array.from({ length: connections }, ask))
  const elapsed = (performance.now() - begun) / 1000
  latencies.sort((one, other) => one - other)
  return { requests: latencies.length, seconds: elapsed, perSecond: latencies.length / elapsed, latencies, bytes }
}

export const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

function requestOf({ port, path, body }: Load, cookie?: string): Buffer {
  const text = JSON.stringify(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...(cookie ? [`cookie: ${cookie}`] : []),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
}

type Connection = { ask(request: Buffer): Promise<number>; end(): void }

async function connect(port: number): Promise<Connection> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting: { resolve(bytes: number): void; reject(error: Error): void } | undefined
  let head = ''
  let left = -1
  let received = 0
  socket.on('data', (piece: Buffer) => {
    received += piece.length
    if (left < 0) {
      head += piece.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /^content-length: (\d+)/im.exec(head.slice(0, end))
      if (!head.startsWith('HTTP/1.1 200') || !length)
        return waiting?.reject(new Error(`unexpected answer: ${head.slice(0, 500)}`))
      left = Number(length[1]) - (head.length - end - 4)
    } else left -= piece.length
    if (left > 0) return
    const bytes = received
    head = ''
    left = -1
    received = 0
    waiting?.resolve(bytes)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')))
  return {
    ask(request) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      })
    },
    end: () => socket.destroy(),
  }
}
