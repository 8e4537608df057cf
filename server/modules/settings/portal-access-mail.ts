import type { Contact } from '#domain/settings/contacts.ts'
import type { Config } from '#server/config.ts'
import { action, facts, type Mail, paragraph } from '#server/modules/messages/messages.public.ts'

type Account = { readonly customerNumber: string; readonly name: string }

/** Tells somebody that they have become a contact of an account. */
export function welcomeMail(contact: Contact, account: Account, grantedBy: string, config: Config): Mail {
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
