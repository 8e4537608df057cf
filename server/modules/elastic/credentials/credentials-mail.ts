import type { Transaction } from 'kysely'
import type { Actor } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import {
  action,
  facts,
  type MailFact,
  pageUrl,
  paragraph,
  queueNotice,
} from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

type Change = {
  /** Mails of one kind are counted together. */
  readonly kind: 'PIN' | 'usernames' | 'IP rules'
  readonly title: string
  readonly text: string
  readonly facts?: readonly MailFact[]
  /** The screen that shows it. */
  readonly path: string
}

/** Notifies the administrators of an account, in the same transaction, that somebody changed who may use its server. */
export async function mailAdministrators(
  { actor, db, services }: { readonly actor: Actor; readonly db: Transaction<DB>; readonly services: Services },
  { customerNumber, deviceId, alias }: { customerNumber: string; deviceId: string; alias: string },
  { kind, title, text, facts: changes = [], path }: Change,
): Promise<void> {
  const to = await listAdministrators(db, customerNumber)
  if (to.length === 0) return
  const { name } = await loadAccount(db, customerNumber)
  const { brand, origin } = services.config
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph(text),
        facts(
          ['Account', `${customerNumber} (${name})`],
          ['Elastic license server', `${deviceId} (${alias})`, pageUrl(origin, '/clscredentials', customerNumber)],
          ...changes,
          ['Changed by', actor.email],
        ),
        paragraph(
          'If you did not expect this change, ask the person named above, or check the settings in the portal.',
        ),
        action('Open the portal', pageUrl(origin, `/${path}`, customerNumber)),
      ],
    },
  }
  await queueNotice(db, services, mail, { person: actor.email, kind })
}

const MAX_LISTED = 20

/** A mail names the first items and counts the rest. */
export function listed(items: readonly string[]): string {
  if (items.length === 0) return 'None'
  const rest = items.length - MAX_LISTED
  return `${items.slice(0, MAX_LISTED).join(', ')}${rest > 0 ? `, and ${rest.toLocaleString('en-US')} more` : ''}`
}
