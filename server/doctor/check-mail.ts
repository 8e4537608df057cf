import type { Config } from '#server/config.ts'
import { type Finding, failed, ok } from '#server/doctor/finding.ts'
import { tryMailServer } from '#server/doors/mailer.ts'

/** Whether the mail server answers and lets the portal sign in; undefined where mails go to the mailbox folder. */
export async function checkMail({ mail: { smtpUrl } }: Pick<Config, 'mail'>): Promise<Finding | undefined> {
  if (smtpUrl === undefined) return undefined
  // Without the password that the address may hold.
  const { host } = new URL(smtpUrl)
  try {
    await tryMailServer(smtpUrl)
    return ok(`${host} answers`)
  } catch (error) {
    return failed(
      `${host} cannot be used: ${(error as Error).message}`,
      'Mails wait in the outbox: check SMTP_URL, and that this machine reaches it',
    )
  }
}
