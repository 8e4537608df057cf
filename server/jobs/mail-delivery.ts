import { setTimeout as pause } from 'node:timers/promises'
import { deliverNextMail, type MailDeliveryParts } from '#server/jobs/deliver-mail.ts'

const BETWEEN_LOOKS = 1000
/** After this long the end of the portal says what it waits for. */
const SILENCE_AT_THE_END = 2000

/**
 * Empties the outbox for as long as the portal runs. The outbox itself is the queue, not the job queue: only a lock that
 * lives and dies with the sending process keeps the promise that no mail is sent twice while its sender lives.
 */
export function mailDelivery(parts: MailDeliveryParts) {
  const ending = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const found = await deliverNextMail(parts).catch((error: unknown) => {
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
    async stop(): Promise<void> {
      ending.abort()
      // Hanging up on a mail server that has perhaps taken the mail already is how mails come twice. It has its own time
      // limits, and a second signal ends the portal at once.
      const told = setTimeout(
        () => parts.log.warn('waiting for the mail server to answer for the mail that is being sent'),
        SILENCE_AT_THE_END,
      )
      await running
      clearTimeout(told)
      parts.mailer.close()
    },
  }
}
