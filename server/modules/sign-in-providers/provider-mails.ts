import type { Transaction } from 'kysely'
import { LAPSE_DAYS, recordName } from '#domain/sign-in-providers/domain-proof.ts'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { action, facts, type MailFact, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { DomainRow } from '#server/modules/sign-in-providers/providers.queries.ts'
import type { Services } from '#server/services.ts'

type Needs = Pick<Services, 'clock' | 'config'>

const WHAT = {
  failing: [
    'could not be verified',
    `The record was not found at the last checks. Sign-ins work as before. After ${LAPSE_DAYS} days without the record, the domain no longer leads to your sign-in provider.`,
  ],
  lapsed: [
    'is not proven any more',
    `The record has been missing for ${LAPSE_DAYS} days. People of the domain sign in to the portal without your sign-in provider now.`,
  ],
  'taken over': [
    'was proven by another account',
    'The record of this account was missing, and another account has published its own. The domain no longer leads to your sign-in provider.',
  ],
} as const

/** Tells the administrators of an account what happened to one of its domains. */
export async function mailAboutDomain(
  tx: Transaction<DB>,
  services: Needs,
  { customer_number: customerNumber, domain }: DomainRow,
  what: keyof typeof WHAT,
): Promise<void> {
  const [title, text] = WHAT[what]
  await mailAdministrators(tx, services, customerNumber, {
    title: `The domain ${domain} ${title}`,
    text,
    more: [
      ['Domain', domain],
      ['TXT record', recordName(domain)],
    ],
  })
}

export async function mailBreakGlass(tx: Transaction<DB>, services: Needs, customerNumber: string, email: string) {
  await mailAdministrators(tx, services, customerNumber, {
    title: 'The break-glass address has signed in',
    text: 'Somebody signed in without your sign-in provider. If nobody of you did, change the break-glass address.',
    more: [['Address', email]],
  })
}

type Content = { readonly title: string; readonly text: string; readonly more: readonly MailFact[] }

async function mailAdministrators(tx: Transaction<DB>, services: Needs, customerNumber: string, content: Content) {
  const to = await listAdministrators(tx, customerNumber)
  if (to.length === 0) return
  const { name } = await loadAccount(tx, customerNumber)
  const { brand, origin } = services.config
  const { title, text, more } = content
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph(text),
        facts(['Account', `${customerNumber} (${name})`], ...more),
        action('Open sign-in', `${origin}/sign-in-provider?customer=${encodeURIComponent(customerNumber)}`),
      ],
    },
  }
  await queueMail(tx, services, mail, 'no limit')
}
