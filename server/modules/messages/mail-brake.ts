import type { Transaction } from 'kysely'
import { countedMails, nextMailAt, tooManyMails } from '#domain/messages/mail-brake.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { dropOldMails, lockSentMails, saveSentMails } from '#server/modules/messages/mail-brake.queries.ts'

/** The person whose act causes a mail, and the kind of mails that are counted together. */
export type MailLimit = { readonly person: string; readonly kind: string }

const HOUR = 3_600_000

type Recipient = {
  readonly address: string
  readonly counted: Date[]
  readonly next: Date
  save(at: Date): Promise<void>
}

/** Each address once, and in the same order for everybody, to avoid deadlocks. */
async function loadRecipients(
  tx: Transaction<DB>,
  addresses: readonly string[],
  limit: MailLimit,
  now: Date,
): Promise<Recipient[]> {
  await dropOldMails(tx, new Date(now.getTime() - HOUR))
  const recipients: Recipient[] = []
  for (const address of [...new Set(addresses.map(normalizedEmail))].sort()) {
    const key = { ...limit, recipient: address }
    const counted = countedMails(await lockSentMails(tx, key, now), now)
    const save = (at: Date) => saveSentMails(tx, key, [...counted, at], at)
    recipients.push({ address, counted, next: nextMailAt(counted, now), save })
  }
  return recipients
}

/** Counts a mail that is sent now, or refuses the whole call if one of the addresses has had too many. */
export async function countMail(
  tx: Transaction<DB>,
  addresses: readonly string[],
  limit: MailLimit,
  now: Date,
): Promise<void> {
  const recipients = await loadRecipients(tx, addresses, limit, now)
  const [last] = recipients.filter(({ next }) => next > now).sort((one, other) => Number(other.next) - Number(one.next))
  if (last) throw new BusinessRefusal('TOO_MANY_EMAILS', tooManyMails(last.address, last.next, now))
  for (const recipient of recipients) await recipient.save(now)
}

/** Who gets a notice now, and who gets it later. Addresses with a delayed notice get no other. */
export async function planNotice(
  tx: Transaction<DB>,
  addresses: readonly string[],
  limit: MailLimit,
  now: Date,
): Promise<{ now: string[]; later: string[]; at: Date }> {
  const recipients = await loadRecipients(tx, addresses, limit, now)
  const free = recipients.filter(({ next }) => next <= now)
  const held = recipients.filter(({ counted, next }) => next > now && !counted.some((at) => at > now))
  const at = new Date(Math.max(now.getTime(), ...held.map(({ next }) => next.getTime())))
  for (const recipient of free) await recipient.save(now)
  for (const recipient of held) await recipient.save(at)
  return { now: free.map(({ address }) => address), later: held.map(({ address }) => address), at }
}
