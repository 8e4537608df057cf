import { setTimeout as pause } from 'node:timers/promises'
import type { Mailer } from '#server/doors/mailer.ts'
import { deliverNextMail, type MailDeliveryParts } from '#server/jobs/deliver-mail.ts'

const BETWEEN_LOOKS = 1000

/**
 * Empties the outbox for as long as the portal runs. The outbox itself is the queue, not the job queue: only a lock that
 * lives and dies with the sending process keeps the promise that no mail is sent twice while its sender lives.
 */
export function mailDelivery(parts: MailDeliveryParts) {
  const ending = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let isSending = false

  const mailer: Mailer = {
    ...parts.mailer,
    async send(mail) {
      isSending = true
      return parts.mailer.send(mail).finally(() => {
        isSending = false
      })
    },
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const found = await deliverNextMail({ ...parts, mailer }).catch((error: unknown) => {
        parts.log.error({ err: error }, 'the outbox cannot be read')
        return false
      })
      if (!found) await pause(BETWEEN_LOOKS, undefined, { signal: ending.signal }).catch(() => {})
    }
  }

  return {
    start(): void {
      running = run()
    },
    isSending: () => isSending,
    /**
     * Waits for the mail that is being sent: hanging up on a mail server that has perhaps taken it already is how mails come
     * twice.
     */
    async stop(): Promise<void> {
      ending.abort()
      await running
      parts.mailer.close()
    },
    /** Hangs up on the mail server. The mail stays due. */
    interrupt: () => parts.mailer.close(),
  }
}
