import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import type { Config } from '#server/config.ts'
import { DEMO_PATH, type DemoClient, type DemoPerson, demoIdentity } from '#server/doors/demo-identity.ts'
import type { DemoProvider } from '#server/doors/demo-store.ts'
import { HttpError } from '#server/http/http-error.ts'
import { escapeHtml, MARK, page } from '#server/http/plain-page.ts'
import { isFromThisMachine } from '#server/loopback.ts'

type Options = { config: Config; people: readonly DemoPerson[]; client: DemoClient; demo: DemoProvider }
type Interaction = { Params: { uid: string } }
type Choice = { Params: { uid: string; email: string } }

/** Mounts the demo provider below DEMO_PATH; returns a function that ends one of its sessions. */
export function mountDemoIdentity(
  app: FastifyInstance,
  { config, people, client, demo }: Options,
): (sessionId: string) => Promise<unknown> {
  const { provider, endSession } = demoIdentity(`${config.origin}${DEMO_PATH}`, people, client, demo)
  const { protocol, host } = new URL(config.origin)
  provider.on('server_error', (_context, error) => app.log.error({ err: error }, 'demo identity'))
  const handle = provider.callback()

  const signInAs = async (request: FastifyRequest, reply: FastifyReply, accountId: string) => {
    const result = { login: { accountId } }
    const to = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false })
    return reply.redirect(to, 303)
  }
  const findPerson = (email: unknown) => people.find((one) => one.email === normalizedEmail(String(email)))

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (config.demo !== 'everywhere' && !isFromThisMachine(request, config))
        throw new HttpError(403, 'Demo people sign in on this machine only; DEMO=1 opens the demo to others')
      // The provider trusts these headers from any sender and builds its addresses from them, so they are set here.
      Object.assign(request.raw.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host })
    })
    // The provider reads the raw body itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    scope.get<Interaction>(`${DEMO_PATH}/interaction/:uid`, { schema: { hide: true } }, async (request, reply) => {
      const { params } = await loadInteraction(provider, request, reply)
      const hinted = params.login_hint ? findPerson(params.login_hint) : undefined
      if (hinted) return signInAs(request, reply, hinted.email)
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(demoSignInPage(config.brand, people, request.params.uid, reply.raw.cspNonce))
    })
    scope.post<Choice>(
      `${DEMO_PATH}/interaction/:uid/as/:email`,
      { schema: { hide: true } },
      async (request, reply) => {
        const person = findPerson(request.params.email)
        if (!person) throw new HttpError(404, 'There is no such demo person')
        await loadInteraction(provider, request, reply)
        return signInAs(request, reply, person.email)
      },
    )
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: `${DEMO_PATH}/*`,
      schema: { hide: true },
      handler: (request, reply) => {
        reply.hijack()
        const raw = request.raw as typeof request.raw & { originalUrl?: string | undefined }
        // Koa computes the mount path as the part of originalUrl that url lacks.
        raw.originalUrl = raw.url
        raw.url = raw.url?.slice(DEMO_PATH.length) ?? '/'
        void handle(raw, reply.raw)
      },
    })
  })
  return endSession
}

async function loadInteraction(
  provider: ReturnType<typeof demoIdentity>['provider'],
  request: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    return await provider.interactionDetails(request.raw, reply.raw)
  } catch {
    throw new HttpError(400, 'This sign-in has expired; start again at /auth/login')
  }
}

/** The only page of the demo provider: a list of demo people to sign in as. */
function demoSignInPage(brand: Config['brand'], people: readonly DemoPerson[], uid: string, nonce: string): string {
  const rows = people
    .map(
      (
        person,
      ) => `<li><form method="post" action="/demo-idp/interaction/${escapeHtml(uid)}/as/${encodeURIComponent(person.email)}">
      <button><b>${escapeHtml(`${person.firstName} ${person.lastName}`)}</b><span>${escapeHtml(person.email)}</span><small>${escapeHtml(person.about)}</small></button></form></li>`,
    )
    .join('\n')
  return page(
    `${brand.name} – demo sign-in`,
    nonce,
    `<p class="brand">${MARK}${escapeHtml(brand.name)}</p>
    <h1>Choose a demo person</h1>
    <p>This installation has demo people and demo data. No password is needed.</p>
    <ul class="people">${rows}</ul>`,
    brand.color,
  )
}
