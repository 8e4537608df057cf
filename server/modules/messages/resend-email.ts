import type { resendEmail as operation } from '#contract/messages/emails.ts'
import { NO_SUCH_EMAIL } from '#server/modules/messages/delete-email.ts'
import { toEmail } from '#server/modules/messages/emails.mapping.ts'
import { attachmentListOf, emailOf, emailToChange, requeueEmail } from '#server/modules/messages/emails.queries.ts'
import { Problem, Refusal } from '#server/plugins/problem.ts'
import type { Call, Result } from '#server/plugins/route.ts'

export async function resendEmail(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, db, now, params, standing } = call
  const { customerNumber } = standing
  const before = await emailToChange(db, customerNumber, params.id)
  if (!before || before.deleted_at) throw new Problem(404, NO_SUCH_EMAIL)
  if (before.state !== 'failed')
    throw new Refusal('EMAIL_NOT_FAILED', 'Only an email that could not be delivered can be sent again.')
  await requeueEmail(db, customerNumber, params.id, now)
  const { subject, recipients, attempts, trouble } = before
  await call.audit({
    action: 'emails.resend',
    target: params.id,
    before: { subject, to: recipients, attempts, trouble },
  })
  const queued = await emailOf(db, customerNumber, params.id)
  if (!queued) throw new Error(`mail ${params.id} is gone although it is locked`)
  return { data: toEmail(actor, queued, await attachmentListOf(db, customerNumber, params.id)) }
}
