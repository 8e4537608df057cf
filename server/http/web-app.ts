import fs from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound, pathOf } from '#server/http/errors.ts'

/** Serves the built web app: files with a hash in their name for a year, and the page itself for every other address. */
export async function webApp(
  app: FastifyInstance,
  directory: string,
  hasSession: (request: FastifyRequest) => boolean = () => true,
): Promise<void> {
  const root = path.resolve(directory)
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, isWebAppFile: true }
    })
    await scope.register(fastifyStatic, {
      root,
      index: false,
      wildcard: false,
      // The handler below serves the page, with a nonce.
      globIgnore: ['index.html', '**/*.{br,gz}'],
      preCompressed: true,
      setHeaders: (reply, file) => {
        const hashed = file.startsWith(path.join(root, 'assets') + path.sep)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  })
  const page = fs.readFileSync(path.join(root, 'index.html'), 'utf8')
  app.setNotFoundHandler((request, reply) => {
    const isPageRequest = request.method === 'GET' || request.method === 'HEAD'
    if (!isPageRequest || isNotForPeople(pathOf(request))) return notFound(request, reply)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        page
          .replaceAll('__CSP_NONCE__', reply.raw.cspNonce)
          // Without a session cookie the page redirects to sign-in at once, instead of sending calls that are refused.
          .replace('__SESSION__', hasSession(request) ? 'cookie' : 'none'),
      )
  })
}

/** A mistyped call or a missing file must get 404, not the page. */
function isNotForPeople(path: string): boolean {
  return /^\/(?:(?:api|auth|service|assets|demo-idp)(?:\/|$)|favicon\.ico)/.test(path)
}
