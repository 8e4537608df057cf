import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import type { ConnectionSettings } from '#server/embedded/cluster.ts'

/** A TCP proxy between a portal and its database that a test can cut, stall, or lead to another server. */
export type DatabaseProxy = {
  /** For DATABASE_URL. */
  readonly url: string
  /** Ends all connections, as a router that loses its table does. */
  cut(): void
  /** Lets nothing through in either direction until `resume`, and closes nothing: a network that drops everything. */
  stall(): void
  resume(): void
  /** Ends all connections and leads new ones to another server; undefined refuses them. */
  leadTo(target: ConnectionSettings | undefined): void
  close(): Promise<void>
}

const socketOf = ({ host, port }: ConnectionSettings) => `${host}/.s.PGSQL.${port}`

export async function startDatabaseProxy(first: ConnectionSettings): Promise<DatabaseProxy> {
  let target: ConnectionSettings | undefined = first
  let isStalled = false
  const sockets = new Set<net.Socket>()
  const track = (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (isStalled) socket.pause()
  }
  const server = net.createServer((near) => {
    track(near)
    if (!target) return void near.destroy()
    const far = net.connect(socketOf(target))
    track(far)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (piece) => void to.write(piece))
      from.on('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `postgres://${first.user}:${encodeURIComponent(String(first.password))}@127.0.0.1:${port}/${first.database}`,
    cut,
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    leadTo(next) {
      target = next
      cut()
    },
    async close() {
      server.close()
      cut()
    },
  }
}
