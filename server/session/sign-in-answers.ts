import type { FastifyReply, FastifyRequest } from 'fastify'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import { failure } from '#server/http/envelope.ts'
import { escapeHtml, page } from '#server/http/plain-page.ts'
import { providerError } from '#server/session/oidc-client.ts'

/** A sign-in that was refused: a page for people, the usual error for programs. */
export function refuseSignIn(request: FastifyRequest, reply: FastifyReply, status: 400 | 403, reason: string) {
  return answer(request, reply, status, {
    title: 'Sign-in did not finish',
    err: reason,
    text: `${reason} Nothing was changed.`,
    link: { to: '/auth/login', text: 'Sign in again' },
  })
}

export function providerUnavailable(request: FastifyRequest, reply: FastifyReply, error: unknown, retry: string) {
  request.log.error({ error: providerError(error) }, 'the identity provider does not answer')
  const err = `The identity provider does not answer. Please try again. reference id [${request.id}]`
  return answer(request, reply, 503, {
    title: 'Sign-in is not available',
    err,
    text: err,
    link: { to: retry, text: 'Retry' },
  })
}

type Content = { title: string; err: string; text: string; link: { to: string; text: string } }

function answer(request: FastifyRequest, reply: FastifyReply, status: number, { title, err, text, link }: Content) {
  reply.code(status).header('cache-control', 'no-store')
  if (!request.headers.accept?.includes('text/html')) return reply.send(failure(codeOfStatus(status), err))
  return reply
    .type('text/html; charset=utf-8')
    .send(
      page(
        title,
        reply.raw.cspNonce,
        `<h1>${title}</h1><p>${escapeHtml(text)}</p><p><a href="${escapeHtml(link.to)}">${link.text}</a></p>`,
      ),
    )
}
