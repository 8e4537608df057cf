import type * as operations from '#contract/messages/emails.ts'
import { can } from '#domain/access/can.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { findStandings } from '#server/modules/accounts/accounts.public.ts'
import { toEmail } from '#server/modules/messages/emails.mapping.ts'
import {
  findAccountOfEmail,
  findEmail,
  hideEmail,
  listAttachments,
  lockEmail,
} from '#server/modules/messages/emails.queries.ts'
import { saveMailQueued } from '#server/modules/messages/mail.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { deleteFailedMessages, requeueMessage } from '#server/outbox/outbox.queries.ts'

export const NO_SUCH_EMAIL = 'There is no such email'

/** Removes the mail from the history. A queued mail is still sent; a failed one is never sent again. */
export async function deleteEmail(
  call: Call<typeof operations.deleteEmail>,
): Promise<Result<typeof operations.deleteEmail>> {
  const { actor, db, now, params } = call
  const customerNumber = call.standing?.customerNumber ?? (await requireAccountOf(call))
  const email = await lockEmail(db, customerNumber, params.id)
  if (!email) throw new HttpError(404, NO_SUCH_EMAIL)
  if (email.deleted_at) return { data: null }
  await hideEmail(db, customerNumber, params.id, { email: actor.email, at: now })
  await deleteFailedMessages(db, [params.id])
  await call.audit({
    customerNumber,
    target: params.id,
    before: { subject: email.subject, to: email.recipients },
  })
  return { data: null }
}

/** The account of an email, for a call that does not name it. The guard has not seen that account, so it is checked here. */
async function requireAccountOf(call: Call<typeof operations.deleteEmail>): Promise<string> {
  const { actor, db, params, refuse } = call
  const customerNumber = await findAccountOfEmail(db, actor, params.id)
  if (customerNumber === undefined) throw new HttpError(404, NO_SUCH_EMAIL)
  const standing = (await findStandings(db, actor.email, [customerNumber])).get(customerNumber)?.standing
  const decision = can(actor, 'emails.delete', standing)
  return decision.allowed
    ? customerNumber
    : refuse(new HttpError(decision.hidden ? 404 : 403, decision.reason), { customerNumber, target: params.id })
}

export async function resendEmail(
  call: Call<typeof operations.resendEmail>,
): Promise<Result<typeof operations.resendEmail>> {
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
