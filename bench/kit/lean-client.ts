import { once } from 'node:events'
import net from 'node:net'

export type LeanClient = {
  /** One call after the other: the next one waits for the answer. */
  post(path: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<string>
  close(): void
}

/**
 * HTTP over one connection that stays open, with as little work as possible. The agent of Node takes about 0.2 ms of
 * processor time per call, which is not the server's.
 */
export async function connectLean(port: number): Promise<LeanClient> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  let waiting: { resolve(body: string): void; reject(error: Error): void } | undefined
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The server has closed the connection')))
  socket.on('data', (piece) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece])
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1]
    if (length === undefined) return void waiting?.reject(new Error('The answer does not tell its length'))
    const end = head + 4 + Number(length)
    if (received.length < end) return
    const body = received.toString('utf8', head + 4, end)
    received = received.subarray(end)
    waiting?.resolve(body)
  })
  return {
    post(path, headers, body) {
      const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': String(body.length) })
      const head = `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]))
      })
    },
    close: () => socket.destroy(),
  }
}
