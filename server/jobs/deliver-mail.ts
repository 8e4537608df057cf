import type { FastifyBaseLogger } from 'fastify'
import { nextAttempt } from '#domain/messages/mail-retry.ts'
import { type Mailer, MailRefusedError } from '#server/doors/mailer.ts'
import {
  attachmentsOf,
  type DueAttachment,
  type DueMail,
  noteAttempt,
  type Outcome,
  takeDueMail,
} from '#server/jobs/mail-delivery.queries.ts'
import type { Services } from '#server/services.ts'

export type MailDeliveryParts = Pick<Services, 'db' | 'clock'> & { mailer: Mailer; log: FastifyBaseLogger }

/**
 * Tries the next mail whose time has come; false when there is none. Taking it, sending it and noting what came of it are
 * one transaction: what is not noted is still due.
 */
export function deliverNextMail({ db, clock, mailer, log }: MailDeliveryParts): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const mail = await takeDueMail(tx, clock.now())
    if (!mail) return false
    const attachments = await attachmentsOf(tx, mail)
    const outcome = await mailer
      .send(toOutgoing(mail, attachments))
      .then(({ refused }) => delivered(mailer, refused, clock.now()))
      .catch((error: unknown) => notDelivered(mail, error, clock.now()))
    await noteAttempt(tx, mail, outcome)
    tell(log, mail, outcome)
    return true
  })
}

function delivered(mailer: Mailer, refused: readonly string[], now: Date): Outcome {
  const trouble = refused.length ? `Not accepted for ${refused.join(', ')}` : ''
  return { state: mailer.kind, delivered_at: now, next_attempt_at: null, trouble }
}

function notDelivered(mail: DueMail, error: unknown, now: Date): Outcome {
  const trouble = asKept(error instanceof Error ? error.message : String(error))
  const isHopeless = error instanceof MailRefusedError && error.permanent
  const next = isHopeless ? null : nextAttempt(mail.attempts + 1, triedSince(mail), now)
  return next
    ? { state: 'queued', delivered_at: null, next_attempt_at: next, trouble }
    : { state: 'failed', delivered_at: null, next_attempt_at: null, trouble }
}

/** Staff can send again what has failed: then everything begins anew. */
const triedSince = (mail: DueMail): Date => mail.resent_at ?? mail.queued_at

/** A mail server may say anything: an answer that the database cannot keep would leave the mail due for ever. */
function asKept(answer: string): string {
  return answer.replaceAll('\0', '').slice(0, 2000)
}

/** Addresses stay out of the log; the id finds the mail in the account's history. */
function tell(log: FastifyBaseLogger, mail: DueMail, { state, trouble, next_attempt_at: next }: Outcome): void {
  const about = { mail: mail.id, customerNumber: mail.customer_number, attempt: mail.attempts + 1 }
  if (state === 'failed') log.error({ ...about, trouble }, 'a mail could not be delivered and is given up')
  else if (state === 'queued') log.warn({ ...about, trouble, next }, 'a mail could not be delivered yet')
  else log.info({ ...about, state }, 'a mail was delivered')
}

function toOutgoing(mail: DueMail, attachments: readonly DueAttachment[]) {
  return {
    messageId: mail.message_id,
    date: triedSince(mail),
    to: mail.recipients,
    cc: mail.copies,
    subject: mail.subject,
    html: mail.body_html,
    text: mail.body_text,
    attachments: attachments.map(({ name, media_type, content }) => ({ name, mediaType: media_type, content })),
  }
}
