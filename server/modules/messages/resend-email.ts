import type { resendEmail as operation } from '#contract/messages/emails.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { NO_SUCH_EMAIL } from '#server/modules/messages/delete-email.ts'
import { toEmail } from '#server/modules/messages/emails.mapping.ts'
import { findEmail, listAttachments, lockEmail } from '#server/modules/messages/emails.queries.ts'
import { saveMailQueued } from '#server/modules/messages/mail.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { requeueMessage } from '#server/outbox/outbox.queries.ts'

export async function resendEmail(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, db, now, params, standing } = call
  const { customerNumber } = standing
  const before = await lockEmail(db, customerNumber, params.id)
  if (!before || before.deleted_at) throw new HttpError(404, NO_SUCH_EMAIL)
  if (before.state !== 'failed')
    throw new BusinessRefusal('EMAIL_NOT_FAILED', 'Only an email that could not be delivered can be sent again.')
  await requeueMessage(db, params.id, now)
  await saveMailQueued(db, { customerNumber, mailId: params.id })
  const { subject, recipients, attempts, trouble } = before
  await call.audit({
    target: params.id,
    before: { subject, to: recipients, attempts, trouble },
  })
  const queued = await findEmail(db, customerNumber, params.id)
  if (!queued) throw new Error(`mail ${params.id} is gone although it is locked`)
  return { data: toEmail(actor, queued, await listAttachments(db, customerNumber, params.id)) }
}
