import type { Transaction } from 'kysely'
import { hostIdLabel } from '#domain/activations/hosts/host.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators } from '#server/modules/accounts/accounts.public.ts'
import type { Member } from '#server/modules/activations/hosts/group-members.ts'
import type { HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'
import { action, facts, type Mail, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

type Removed = Pick<Member, 'customerNumber' | 'account'>

/** Tells the administrators of a customer that it no longer shares a license server. */
export async function mailRemoved(
  { db }: { readonly db: Transaction<DB> },
  services: Pick<Services, 'config' | 'clock'>,
  removed: Removed,
  host: HostRow,
): Promise<void> {
  const administrators = await listAdministrators(db, removed.customerNumber)
  if (administrators.length === 0) return
  const mail = removedMail(removed, host, host.customer_number, services.config)
  // Nobody can do this to the same customer at will: somebody who manages that account must share the server again first.
  await queueMail(db, services, { ...mail, to: administrators }, 'no limit')
}

function removedMail(
  { customerNumber, account }: Removed,
  host: HostRow,
  removedBy: string,
  { brand, origin }: Config,
): Omit<Mail, 'to'> {
  const title = `${account.name} no longer shares a license server`
  const hostId = hostIdLabel(toHostIdentity(host))
  return {
    customerNumber,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph(
          'Another customer of this license server generates its license file without your licenses from now on. Your activations stay as they are.',
        ),
        facts(
          ['License server', hostId],
          ['Account', `${customerNumber} (${account.name})`],
          ['Changed by customer', removedBy],
        ),
        paragraph('To use your licenses on this license server, generate a license file of your own.'),
        action('Open activations', `${origin}/activations?customer=${encodeURIComponent(customerNumber)}`),
      ],
    },
  }
}
