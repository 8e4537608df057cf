import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { HttpError } from '#server/http/http-error.ts'

/**
 * A page of another site can make a browser send our cookie, but it can neither set this header without asking us
 * first (CORS preflight, which we never grant) nor hide where it comes from.
 */
export function refuseCrossSite(request: FastifyRequest, config: Config): void {
  const site = request.headers['sec-fetch-site']
  if (typeof site === 'string' && site !== 'same-origin' && site !== 'none')
    throw new HttpError(403, 'This call was sent by another site')
  const { origin } = request.headers
  if (origin !== undefined && origin !== config.origin) throw new HttpError(403, 'This call was sent by another site')
  if (request.headers['x-requested-with'] !== 'portal')
    throw new HttpError(403, 'Calls that change something need the header X-Requested-With: portal')
}
