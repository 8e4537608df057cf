import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Milliseconds: long enough for every request and most mails, shorter than the time after which service managers kill.
 */
const TIMEOUT = 10_000

type Parts = {
  /** Work outside of requests that should not be interrupted, such as sending a mail. */
  unfinishedWork(): string[]
  /** Interrupts that work. */
  interrupt(): void
  report(line: string): void
  patience?: number
}

/**
 * Closing waits for open requests and unfinished work, says so after a moment, and ends both after ten seconds. Returns
 * how much of that time is left.
 */
export function boundClose(app: FastifyInstance, { unfinishedWork, interrupt, report, ...parts }: Parts): () => number {
  const { patience = TIMEOUT } = parts
  const open = openRequests(app)
  const unfinished = () => [...(open.count() > 0 ? [plural(open.count(), 'open request')] : []), ...unfinishedWork()]
  const timers: NodeJS.Timeout[] = []
  let deadline = Number.POSITIVE_INFINITY

  app.addHook('preClose', async () => {
    deadline = performance.now() + patience
    open.endSilentConnections()
    const wait = (part: number, then: (what: string) => void) =>
      timers.push(setTimeout(() => unfinished().length > 0 && then(unfinished().join(', ')), patience * part))
    wait(0.1, (what) => report(`Waiting for ${what}`))
    wait(1, (what) => report(`Closed without waiting any longer for ${what}`))
    timers.push(
      setTimeout(() => {
        app.server.closeAllConnections()
        interrupt()
      }, patience),
    )
  })
  // Closing runs these hooks in reverse order: the hook that was added first runs last.
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })
  return () => Math.min(patience, Math.max(0, deadline - performance.now()))
}

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function openRequests(app: FastifyInstance) {
  let count = 0
  /** Browsers open connections in advance. Before their first request they would keep a server from closing. */
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.addHook('onRequest', (request, reply, done) => {
    silent.delete(request.raw.socket)
    count++
    reply.raw.once('close', () => {
      count--
      // Idle keep-alive connections: no further request will come.
      if (!app.server.listening) setImmediate(() => app.server.closeIdleConnections())
    })
    done()
  })
  return {
    count: () => count,
    endSilentConnections() {
      for (const socket of silent) socket.destroy()
    },
  }
}
