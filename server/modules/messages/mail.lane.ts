import { can } from '#domain/access/can.ts'
import { type Mailer, MailRefusedError, type OutgoingMail } from '#server/doors/mailer.ts'
import { findStaffStanding } from '#server/modules/accounts/accounts.public.ts'
import { loadMail, saveMailOutcome, saveMailQueued } from '#server/modules/messages/mail.queries.ts'
import { defineLane, UndeliverableError } from '#server/outbox/lane.ts'

export const MAIL = 'mail'

/** The content of a mail of an account is in the account's history; without an account, it is here. */
export type MailPayload = { readonly customerNumber: string; readonly mailId: string } | { readonly mail: WholeMail }
type WholeMail = Omit<OutgoingMail, 'date' | 'attachments'> & {
  /** Attachments with their content in base64. */
  readonly attachments: readonly { readonly name: string; readonly mediaType: string; readonly content: string }[]
}

/** Without a mailer, mails wait for a process that has one. */
export function mailLane(mailer?: Mailer) {
  return defineLane<MailPayload>({
    lane: MAIL,
    noun: 'mail',
    ...(mailer && {
      async deliver({ payload, triedSince }, tx) {
        const mail = 'mail' in payload ? withContent(payload.mail) : await loadMail(tx, payload)
        if (!mail) throw new UndeliverableError('The mail is no longer there')
        const { refused } = await mailer.send({ ...mail, date: triedSince }).catch((error: unknown) => {
          if (error instanceof MailRefusedError && error.permanent) throw new UndeliverableError(error.message)
          throw error
        })
        return refused.length > 0 ? { trouble: `Not accepted for ${refused.join(', ')}` } : {}
      },
      async recordAttempt(tx, { payload }, outcome) {
        if ('mail' in payload) return
        const { attempts, trouble } = outcome
        await saveMailOutcome(
          tx,
          payload,
          outcome.state === 'delivered'
            ? { state: mailer.kind, delivered_at: outcome.at, attempts, trouble }
            : { state: outcome.state, delivered_at: null, attempts, trouble },
        )
      },
      close: () => mailer.close(),
    }),
    async recordResend(tx, { payload }) {
      if (!('mail' in payload)) await saveMailQueued(tx, payload)
    },
    /** Needs the right of the screen of the account, so an export denial is not bypassed. */
    async mayResend(db, actor, { payload }) {
      if ('mail' in payload) return { allowed: true }
      return can(actor, 'emails.resend', await findStaffStanding(db, payload.customerNumber))
    },
  })
}

function withContent({ attachments, ...mail }: WholeMail): Omit<OutgoingMail, 'date'> {
  return {
    ...mail,
    attachments: attachments.map((one) => ({ ...one, content: Buffer.from(one.content, 'base64') })),
  }
}
