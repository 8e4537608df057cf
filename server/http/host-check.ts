import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { HttpError } from '#server/http/http-error.ts'
import { isLoopbackName } from '#server/loopback.ts'

/** Probes use addresses instead of names. */
const ANY_HOST: readonly (string | undefined)[] = ['/healthz', '/readyz', '/metrics']

/**
 * The portal answers to the host of PUBLIC_URL only. Otherwise a page of another site whose name resolves to this
 * server (DNS rebinding) would be same-origin with it.
 */
export function refuseForeignHosts(app: FastifyInstance, config: Config): void {
  const own = new URL(config.origin)
  const hosts = new Set([own.host, `${own.hostname}:${own.port || (own.protocol === 'https:' ? 443 : 80)}`])
  app.addHook('onRequest', (request, reply, done) => {
    const isTargetOwn = isOwnTarget(request.originalUrl, hosts)
    if (isTargetOwn && hosts.has(request.host.toLowerCase())) return done()
    if (ANY_HOST.includes(request.routeOptions.url)) return done()
    if (isTargetOwn && isPage(request) && isOtherLoopbackName(request.host, own))
      return reply.header('cache-control', 'no-store').redirect(config.origin + request.url)
    done(new HttpError(421, `This portal is at ${config.origin} (PUBLIC_URL). It does not answer to another host.`))
  })
}

/** An absolute request target (`GET http://host/path`) replaces Host, so it must name this portal as well. */
function isOwnTarget(target: string, hosts: ReadonlySet<string>): boolean {
  if (target.startsWith('/') || target === '*') return true
  const host = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
  return host !== undefined && hosts.has(host.toLowerCase())
}

/** From here on every request target begins with a slash, as hooks and handlers expect. */
export function toOriginForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (url.startsWith('/') || url === '*') return url
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/?/i, '/')
}

/** A browser at `localhost` is redirected to the configured address. Programs get the error. */
function isPage({ method, headers, routeOptions, url }: FastifyRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return false
  return routeOptions.url === '/auth/login' || (headers.accept?.includes('text/html') ?? false)
}

function isOtherLoopbackName(host: string, own: URL): boolean {
  const requested = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : own
  return (
    requested.host !== own.host &&
    requested.port === own.port &&
    isLoopbackName(requested.hostname) &&
    isLoopbackName(own.hostname)
  )
}
