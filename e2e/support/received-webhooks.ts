import http from 'node:http'

/** Where the portal of a run may send webhooks on this machine. */
export const webhookHost = (portalPort: number): string => `127.0.0.1:${portalPort + 2000}`

type Received = { readonly headers: http.IncomingHttpHeaders; readonly body: string }

/** Receives webhooks as a customer's system would. Only one journey at a time can. */
export async function receiveWebhooks() {
  const host = webhookHost(Number(process.env.E2E_PORT ?? 8190))
  const received: Received[] = []
  let status = 200
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    received.push({ headers: request.headers, body })
    response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 200 ? 'thank you' : 'out of order')
  })
  await new Promise<void>((ready) => server.listen(Number(host.split(':')[1]), '127.0.0.1', ready))
  return {
    url: `http://${host}/hooks`,
    received,
    answerWith: (next: number) => {
      status = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
