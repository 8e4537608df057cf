import { wireHostIdType } from '#contract/activations/hosts/host-fields.ts'
import { hostIdLabel } from '#domain/activations/hosts/host.ts'
import type { Config } from '#server/config.ts'
import type { Member } from '#server/modules/activations/hosts/group-members.ts'
import type { HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { action, facts, type Mail, paragraph } from '#server/modules/messages/messages.public.ts'

/** Tells the administrators of a customer that it no longer shares a license server. */
export function removedMail(
  { customerNumber, account }: Member,
  host: HostRow,
  removedBy: string,
  { brand, origin }: Config,
): Omit<Mail, 'to'> {
  const title = `${account.name} no longer shares a license server`
  const hostId = hostIdLabel({
    serverId: host.host_id,
    serverIdType: wireHostIdType(host.host_id, host.host_id_type),
  })
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
