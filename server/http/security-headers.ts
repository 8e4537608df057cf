import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For answers with data, not pages. */
    isOperation?: boolean
  }
}

declare module 'http' {
  interface ServerResponse {
    /** A fresh nonce for every answer; only inline styles with this nonce are applied. */
    cspNonce: string
  }
}

export const DOCS_PATH = '/api/docs'

const DATA_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

const isHttps = (config: Config) => config.origin.startsWith('https:')

/**
 * For routes that answer data, never a page, such as operations: constant and stricter headers. Pages get theirs from
 * helmet, with a nonce.
 */
export function dataHeaders(config: Config): Record<string, string> {
  return {
    ...DATA_HEADERS,
    ...(isHttps(config) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

export async function securityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const forOperations = dataHeaders(config)
  // Before helmet's own hook, because its directive functions see nothing but the raw answer.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOperation) reply.headers(forOperations)
    else reply.raw.cspNonce = randomBytes(16).toString('base64')
    done()
  })
  const nonce = (_request: unknown, answer: unknown) => `'nonce-${(answer as { cspNonce: string }).cspNonce}'`
  await app.register(helmet, {
    global: true,
    hsts: isHttps(config),
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", nonce],
        'img-src': ["'self'", 'data:', ...imagesOf(config)],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'self'"],
        'frame-ancestors': ["'none'"],
        'form-action': ["'self'"],
      },
    },
  })
  // The API page contains one style element; its scripts are restricted as everywhere.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.url.startsWith(DOCS_PATH)) {
      const policy = String(reply.getHeader('content-security-policy') ?? '')
      reply.header('content-security-policy', policy.replace(/style-src[^;]*/, "style-src 'self' 'unsafe-inline'"))
    }
    done(null, payload)
  })
}

/** A logo from the brand settings may be on another site. */
function imagesOf(config: Config): string[] {
  return URL.canParse(config.brand.logoUrl) ? [new URL(config.brand.logoUrl).origin] : []
}
