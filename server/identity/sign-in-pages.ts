import type { FastifyReply, FastifyRequest } from 'fastify'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import type { Config } from '#server/config.ts'
import { failure } from '#server/http/envelope.ts'
import { escapeHtml, MARK, page } from '#server/http/plain-page.ts'
import { providerError } from '#server/identity/oidc-client.ts'

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
  return sendPage(
    reply,
    title,
    `<h1>${title}</h1><p>${escapeHtml(text)}</p><p><a href="${escapeHtml(link.to)}">${link.text}</a></p>`,
  )
}

export function sendPage(reply: FastifyReply, title: string, body: string, brandColor?: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page(title, reply.raw.cspNonce, body, brandColor))
}

export const ASK_EMAIL = '/auth/realm'

/** Asks for an email address, by which the sign-in finds the provider. Nothing on it depends on who asks. */
export function askEmailPage(reply: FastifyReply, { brand }: Config, returnTo: string, error = ''): FastifyReply {
  const other = escapeHtml(`/auth/login?${new URLSearchParams({ portal: '1', returnTo })}`)
  const title = `Sign in to ${brand.name}`
  return sendPage(
    reply,
    title,
    `<div class="sign-in"><p class="brand">${MARK}${escapeHtml(brand.name)}</p>
    <h1>Sign in</h1>
    <p>Enter your work email. You continue where your company signs you in.</p>
    <form method="post" action="${ASK_EMAIL}" novalidate>
      <input type="hidden" name="returnTo" value="${escapeHtml(returnTo)}">
      <label for="email">Email</label>
      <input id="email" name="email" type="email" autocomplete="username" inputmode="email" autofocus required maxlength="254"${
        error ? ' aria-invalid="true" aria-describedby="email-error"' : ''
      }>
      ${error ? `<p id="email-error" class="error" role="alert">${escapeHtml(error)}</p>` : ''}
      <button type="submit">Continue</button>
    </form>
    <p><a href="${other}">Sign in without the sign-in of your company</a></p></div>`,
    brand.color,
  )
}

/**
 * Leads on without a redirect of the form itself, which browsers allow within the portal only. Word for word the same for
 * every email address.
 */
export function continuePage(reply: FastifyReply, { brand }: Config, to: string): FastifyReply {
  const address = escapeHtml(to)
  return sendPage(
    reply.header('refresh', `0; url=${to}`),
    `Sign in to ${brand.name}`,
    `<div class="sign-in"><p class="brand">${MARK}${escapeHtml(brand.name)}</p>
    <h1>One moment</h1><p>You are led to your sign-in.</p><p><a href="${address}">Continue</a></p></div>`,
    brand.color,
  )
}
