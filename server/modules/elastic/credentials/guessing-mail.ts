import type { Transaction } from 'kysely'
import { FAILURES_BEFORE_BRAKE } from '#domain/elastic/credentials/pin-guessing.ts'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { action, facts, pageUrl, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

/** Notifies the administrators of an account that somebody guesses the PIN of its server. */
export async function mailGuessing(
  tx: Transaction<DB>,
  services: Services,
  { customerNumber, serverId, now }: { customerNumber: string; serverId: string; now: Date },
): Promise<void> {
  const to = await listAdministrators(tx, customerNumber)
  if (to.length === 0) return
  const { name } = await loadAccount(tx, customerNumber)
  const { brand, origin } = services.config
  const title = 'Many wrong PINs were sent for your elastic license server'
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph(
          `${FAILURES_BEFORE_BRAKE} wrong PINs were sent for this license server within a day. Somebody may be guessing its PIN.`,
        ),
        facts(
          ['Account', `${customerNumber} (${name})`],
          ['Elastic license server', serverId, pageUrl(origin, '/clscredentials', customerNumber)],
          ['Time (UTC)', now.toISOString().slice(0, 19).replace('T', ' ')],
        ),
        paragraph(
          'The portal now accepts only one PIN per second from addresses that have not sent the right one before. Addresses that have are not slowed down.',
        ),
        paragraph(
          'Look at the addresses in Elastic denials. To accept sessions from your own networks only, add rules in Elastic IP Settings.',
        ),
        action('Open denials', pageUrl(origin, '/elastic-denials', customerNumber)),
      ],
    },
  }
  await queueMail(tx, services, mail, 'no limit')
}
