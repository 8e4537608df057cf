import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keptText, MAX_KEPT_ANSWER, MAX_KEPT_REQUEST, withoutSecrets } from '#domain/provisioning/call-log.ts'
import { insertCall } from '#server/modules/provisioning/scim/calls.queries.ts'
import type { Services } from '#server/services.ts'

/**
 * Keeps the last calls of every account, refused ones too, for administrators to read. It is done before the answer, in a
 * transaction of its own: what a call changed is never lost with its entry, which the audit log has as well.
 */
export function logCalls(app: FastifyInstance, { db, clock }: Pick<Services, 'clock' | 'db'>): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { principal } = request
    if (request.routeOptions.config.wire !== 'scim' || principal?.kind !== 'token') return payload
    const sent = request.body === undefined ? undefined : JSON.stringify(withoutSecrets(request.body))
    const body = keptText(sent, MAX_KEPT_REQUEST)
    const answer = keptText(typeof payload === 'string' ? payload : undefined, MAX_KEPT_ANSWER)
    await insertCall(db, {
      customer_number: principal.customerNumber,
      called_at: clock.now(),
      token_id: principal.id,
      token_name: principal.name,
      method: request.method,
      path: pathBelowAccount(request),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      request_body: body.text,
      answer_body: answer.text,
      is_cut: body.isCut,
    }).catch((error: unknown) => request.log.error({ err: error }, 'a SCIM call could not be logged'))
    return payload
  })
}

const MAX_PATH = 4_000

/** "/Users?filter=…" of /scim/v2/100001/Users?filter=… */
const pathBelowAccount = ({ url }: FastifyRequest): string => `/${url.split('/').slice(4).join('/')}`.slice(0, MAX_PATH)
