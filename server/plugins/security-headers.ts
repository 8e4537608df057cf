import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

declare module 'http' {
  interface ServerResponse {
    /** Made anew for every answer; the only inline styles that run are those that carry it. */
    cspNonce: string
  }
}

export const DOCS_PATH = '/api/docs'

export async function securityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  // Before helmet's own hook, because its directive functions see nothing but the raw answer.
  app.addHook('onRequest', async (_request, reply) => {
    reply.raw.cspNonce = randomBytes(16).toString('base64')
  })
  const nonce = (_request: unknown, answer: unknown) => `'nonce-${(answer as { cspNonce: string }).cspNonce}'`
  await app.register(helmet, {
    global: true,
    hsts: config.origin.startsWith('https:'),
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
  // The API page writes one style element of its own; scripts stay as strict there as everywhere.
  app.addHook('onSend', async (request, reply) => {
    if (!request.url.startsWith(DOCS_PATH)) return
    const policy = String(reply.getHeader('content-security-policy') ?? '')
    reply.header('content-security-policy', policy.replace(/style-src[^;]*/, "style-src 'self' 'unsafe-inline'"))
  })
}

/** A logo from the brand settings may live elsewhere. */
function imagesOf(config: Config): string[] {
  return URL.canParse(config.brand.logoUrl) ? [new URL(config.brand.logoUrl).origin] : []
}
