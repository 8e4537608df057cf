import type { FastifyInstance } from 'fastify'
import { HttpError } from '#server/http/http-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Characters of the JSON body, as it was sent. */
    bodyLength: number
  }
}

const JSON_TYPES = ['application/json', 'application/scim+json'] as const

const refuseNul = () => new HttpError(400, 'A text contains the character U+0000')

/** PostgreSQL cannot keep U+0000 in a text: it is refused at the door, in addresses and in bodies. */
export function refuseNulCharacters(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(request.url.includes('%00') ? refuseNul() : undefined))
  app.decorateRequest('bodyLength', 0)
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser([...JSON_TYPES], { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    request.bodyLength = text.length
    // Some programs name a type for what they do not send.
    if (text === '' && request.method === 'DELETE') return done(null, undefined)
    if (text.includes('\\u0000') || text.includes('\0')) return done(refuseNul())
    if (isTooDeep(text)) return done(new HttpError(400, `The body is nested more than ${MAX_DEPTH} levels deep`))
    parse(request, text, done)
  })
}

const MAX_DEPTH = 64

/** Counts brackets outside of strings: validators and serializers recurse, so depth is bounded before they run. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 92) i++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 91 || code === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}
