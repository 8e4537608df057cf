import type { Transaction } from 'kysely'
import { seatsText } from '#domain/license-use/waiting/waiting-rules.ts'
import type { DB } from '#server/db/schema.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import type { WaitRow } from '#server/modules/license-use/waiting/waiting.queries.ts'
import {
  action,
  facts,
  type MailFact,
  pageUrl,
  paragraph,
  queueMail,
} from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

/*
 * These emails are not kept among those of the account, where everybody would see whose pseudonym is whose and which address a holder has.
 */

type Parts = Pick<Services, 'clock' | 'config'>
const timeText = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
const inOneLine = (name: string) => name.replaceAll(',', ', ')

type Content = {
  readonly to: string
  readonly title: string
  readonly text: string
  readonly facts: readonly MailFact[]
  readonly feature: string
}

async function queue(
  tx: Transaction<DB>,
  services: Parts,
  customerNumber: string,
  { to, title, text, facts: more, feature }: Content,
): Promise<void> {
  const { name } = await loadAccount(tx, customerNumber)
  const { brand, origin } = services.config
  const url = `${pageUrl(origin, '/license-use', customerNumber)}&feature=${encodeURIComponent(feature)}`
  const blocks = [
    paragraph(text),
    facts(['Account', `${customerNumber} (${name})`], ...more),
    action('License Use', url),
  ]
  await queueMail(
    tx,
    services,
    { to: [to], subject: `${brand.name}: ${title}`, content: { title, blocks } },
    'no limit',
  )
}

/** Tells a person that it is their turn. */
export async function mailOffer(
  tx: Transaction<DB>,
  services: Parts,
  { customer_number, email, feature, seats, user_name }: WaitRow,
  { serverName, endsAt }: { readonly serverName: string; readonly endsAt: Date },
): Promise<void> {
  const what = seatsText(seats, feature)
  await queue(tx, services, customer_number, {
    to: email,
    feature,
    title: `${what.charAt(0).toUpperCase()}${what.slice(1)} ${seats === 1 ? 'is' : 'are'} free for you`,
    text: `Check out before ${timeText(endsAt)}. Then the next person in line is notified. The seat is not locked: somebody who is not in line can take it.`,
    facts: [
      ['Feature', feature],
      ['Seats', String(seats)],
      ['License server', inOneLine(serverName)],
      ['User', user_name],
      ['Free for you until', timeText(endsAt)],
    ],
  })
}

export type MailedEnd = 'missed' | 'expired' | 'withdrawn'
const ENDS: Readonly<Record<MailedEnd, { title(what: string): string; text: string }>> = {
  missed: {
    title: (what) => `You are no longer in line for ${what}`,
    text: 'It was your turn, and nobody checked out with your user name in time. Get in line again if you still need a seat.',
  },
  expired: {
    title: (what) => `The time in which you waited for ${what} is over`,
    text: 'No seat became free for you until then. Get in line again if you still need one.',
  },
  withdrawn: {
    title: (what) => `You are no longer in line for ${what}`,
    text: 'An administrator has taken you out of the line.',
  },
}

/** Tells a person that they have left the line without a seat. */
export async function mailEnd(
  tx: Transaction<DB>,
  services: Parts,
  { customer_number, email, feature, seats, joined_at, until }: WaitRow,
  end: MailedEnd,
): Promise<void> {
  const { title, text } = ENDS[end]
  await queue(tx, services, customer_number, {
    to: email,
    feature,
    title: title(seatsText(seats, feature)),
    text,
    facts: [
      ['Feature', feature],
      ['Waiting since', timeText(joined_at)],
      ['Until', timeText(until)],
    ],
  })
}

type Asked = {
  readonly to: string
  readonly by: string
  readonly feature: string
  readonly serverName: string
  readonly since: string
}

/** Asks a holder to return a seat. */
export async function mailHolder(
  tx: Transaction<DB>,
  services: Parts,
  customerNumber: string,
  { to, by, feature, serverName, since }: Asked,
): Promise<void> {
  await queue(tx, services, customerNumber, {
    to,
    feature,
    title: `${by} asks you for a seat of ${feature}`,
    text: `All seats may be taken. If you no longer need yours, close the application or return the license. You get at most one email like this a day.`,
    facts: [
      ['Feature', feature],
      ['License server', inOneLine(serverName)],
      ['You hold it since', `${since} (clock of the license server)`],
      ['Asked by', by],
    ],
  })
}
