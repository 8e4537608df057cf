import type { deleteEmail as operation } from '#contract/messages/emails.ts'
import { HttpError } from '#server/http/http-error.ts'
import { hideEmail, lockEmail } from '#server/modules/messages/emails.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { deleteFailedMessage } from '#server/outbox/outbox.queries.ts'

export const NO_SUCH_EMAIL = 'There is no such email'

/** Takes the mail out of the history. One that is still queued is sent; one that has failed is never sent again. */
export async function deleteEmail(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, db, now, params, standing } = call
  const email = await lockEmail(db, standing.customerNumber, params.id)
  if (!email) throw new HttpError(404, NO_SUCH_EMAIL)
  if (email.deleted_at) return { data: null }
  await hideEmail(db, standing.customerNumber, params.id, { email: actor.email, at: now })
  await deleteFailedMessage(db, params.id)
  await call.audit({
    target: params.id,
    before: { subject: email.subject, to: email.recipients },
  })
  return { data: null }
}
