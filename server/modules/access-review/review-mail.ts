import type { Transaction } from 'kysely'
import { UNUSED_DAYS } from '#domain/access-review/access.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import {
  action,
  facts,
  type MailFact,
  pageUrl,
  paragraph,
  queueMail,
  queueNotice,
} from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

type Parts = Pick<Services, 'clock' | 'config'>

type Opened = {
  readonly customerNumber: string
  readonly by: string | null
  readonly dueOn: CalendarDay
  readonly entries: number
  readonly unused: number
}

const count = (value: number) => value.toLocaleString('en-US')

/** Tells the administrators that there is something to decide. */
export function mailOpening(tx: Transaction<DB>, parts: Parts, opened: Opened): Promise<void> {
  const { customerNumber, by, dueOn, entries, unused } = opened
  return mailAdministrators(tx, parts, customerNumber, {
    by,
    title: (account) => `Review who has access to ${account}`,
    text: 'Keep or take away each access. What nobody has used for a long time is on top.',
    more: [
      ['Opened by', by ?? 'the schedule of the account'],
      ['Due', dueOn],
      ['Accesses', count(entries)],
      [`Unused for ${UNUSED_DAYS} days`, count(unused)],
    ],
  })
}

type Reminded = { readonly customerNumber: string; readonly dueOn: CalendarDay; readonly undecided: number }

/** `left`: days before the due day. */
export function mailReminder(
  tx: Transaction<DB>,
  parts: Parts,
  { customerNumber, dueOn, undecided }: Reminded,
  left: number,
): Promise<void> {
  const when = left === 0 ? 'is due' : left === 1 ? 'is due tomorrow' : `is due within ${left} days`
  return mailAdministrators(tx, parts, customerNumber, {
    by: null,
    title: (account) => `The access review of ${account} ${when}`,
    text:
      undecided === 0
        ? 'Everything is decided. Finish the review to get its signed report.'
        : 'Decide on what is left, then finish the review. What is not decided stays, and the report says so.',
    more: [
      ['Due', dueOn],
      ['Not decided', count(undecided)],
    ],
  })
}

type Content = {
  /** The person who caused the mail; null: a job. */
  readonly by: string | null
  title(account: string): string
  readonly text: string
  readonly more: readonly MailFact[]
}

async function mailAdministrators(
  tx: Transaction<DB>,
  parts: Parts,
  customerNumber: string,
  { by, title, text, more }: Content,
): Promise<void> {
  const to = await listAdministrators(tx, customerNumber)
  if (to.length === 0) return
  const { name } = await loadAccount(tx, customerNumber)
  const { brand, origin } = parts.config
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${title(name)}`,
    content: {
      title: title(name),
      blocks: [
        paragraph(text),
        facts(['Account', `${customerNumber} (${name})`], ...more),
        action('Open the access review', pageUrl(origin, '/access-review', customerNumber)),
      ],
    },
  }
  if (by === null) await queueMail(tx, parts, mail, 'no limit')
  else await queueNotice(tx, parts, mail, { person: by, kind: 'access review' })
}
