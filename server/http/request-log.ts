import type { FastifyRequest } from 'fastify'

/** What the log keeps of a request. The queries of a sign-in hold its code and the person's address. */
export function requestForLog(request: FastifyRequest) {
  return {
    method: request.method,
    url: withoutSecrets(request.url),
    host: request.host,
    remoteAddress: request.ip,
    remotePort: request.socket.remotePort,
  }
}

/**
 * Only what is plainly a call of the API keeps its query: a path can be written in many ways. The address of a
 * calendar holds its secret. A service key does not belong into an address, but somebody may put it there.
 */
function withoutSecrets(url: string): string {
  const [path = ''] = url.split('?')
  return (url.startsWith('/api/') ? url : path).replaceAll(/\b(lpk|cal)_[\w-]+/g, '$1_…')
}
