import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { action, facts, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { EndpointRow } from '#server/modules/webhooks/endpoints.queries.ts'
import type { Services } from '#server/services.ts'

/** Tells the administrators of an account that a webhook gets no more events. */
export async function mailSwitchedOff(
  tx: Transaction<DB>,
  services: Pick<Services, 'clock' | 'config'>,
  { customer_number: customerNumber, url }: EndpointRow,
  reason: string,
): Promise<void> {
  const to = await listAdministrators(tx, customerNumber)
  if (to.length === 0) return
  const { name } = await loadAccount(tx, customerNumber)
  const { brand, origin } = services.config
  const title = `A webhook of ${name} was switched off`
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph('The portal no longer sends events to this endpoint. Events are kept and can be sent again later.'),
        facts(['Account', `${customerNumber} (${name})`], ['Endpoint', url], ['Reason', `${reason}.`]),
        action('Open webhooks', `${origin}/webhooks?customer=${encodeURIComponent(customerNumber)}`),
      ],
    },
  }
  await queueMail(tx, services, mail, 'no limit')
}
