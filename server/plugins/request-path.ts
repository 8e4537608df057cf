import type { FastifyRequest } from 'fastify'

/** The decoded path of a request, without host and query: a request's target may be a whole address (RFC 9112, 3.2.2). */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
