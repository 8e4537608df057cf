import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
/** How a path answers: with a status and headers, with nothing at all, or by closing the connection. */
type Manner =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang'
  | 'reset'

/** A server on this machine that receives webhooks. Every path answers 200 until a test says otherwise. */
export async function startWebhookReceiver() {
  const received: Received[] = []
  const manners = new Map<string, Manner>()
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const path = request.url ?? ''
    received.push({ path, headers: request.headers as Record<string, string>, body })
    const manner = manners.get(path) ?? { status: 200, body: 'thanks' }
    if (manner === 'hang') return
    if (manner === 'reset') return void request.socket.destroy()
    response.writeHead(manner.status, manner.headers).end(manner.body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    received,
    /** Allowed by WEBHOOK_ALLOW. */
    host: `127.0.0.1:${port}`,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    at: (path: string) => received.filter((one) => one.path === path),
    answer: (path: string, manner: Manner) => void manners.set(path, manner),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
