import type { Transaction } from 'kysely'
import type { Contact } from '#domain/settings/contacts.ts'
import type { DB } from '#server/db/schema.ts'
import { saveContacts } from '#server/modules/accounts/accounts.public.ts'
import { action, facts, type Mail, paragraph } from '#server/modules/messages/messages.public.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Services } from '#server/services.ts'

type Account = { readonly customerNumber: string; readonly name: string }
export type ContactSave = {
  readonly added: readonly Contact[]
  readonly removed: readonly Contact[]
  /** All that are saved: those who are added, and those whose role may have changed. */
  readonly kept: readonly Contact[]
}
type By = { readonly email: string; readonly at: Date }

/** Saves contacts, welcomes who is new, and tells webhooks. The caller has locked the account and writes the audit entry. */
export async function changeContacts(
  tx: Transaction<DB>,
  { config }: Pick<Services, 'config'>,
  {
    account,
    by,
    welcome,
    ...change
  }: ContactSave & {
    readonly account: Account
    readonly by: By
    welcome(mail: Mail): Promise<unknown>
  },
): Promise<void> {
  const { customerNumber } = account
  const { added, removed, kept } = change
  await saveContacts(tx, customerNumber, { gone: removed, kept }, by)
  for (const contact of added) await welcome(welcomeMail(contact, account, by.email, config))
  await writeEvents(tx, customerNumber, by.at, [
    ...added.map((one) => ({ type: 'contact.added' as const, data: { ...one, by: by.email } })),
    ...removed.map((one) => ({ type: 'contact.removed' as const, data: { ...one, by: by.email } })),
  ])
}

/** Sent to a person who was added to the contacts of an account. */
function welcomeMail(contact: Contact, account: Account, grantedBy: string, config: Services['config']): Mail {
  const { brand, origin } = config
  const title = `You have access to ${account.name}`
  return {
    customerNumber: account.customerNumber,
    to: [contact.email],
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph(`You were added to the contacts of this account in the ${brand.name}.`),
        facts(
          ['Account', `${account.customerNumber} (${account.name})`],
          ['Role', contact.role],
          ['Added by', grantedBy],
        ),
        paragraph(`To sign in, you need an active account for ${contact.email}.`),
        action('Open the portal', `${origin}/home?customer=${encodeURIComponent(account.customerNumber)}`),
      ],
    },
  }
}
