import type { Transaction } from 'kysely'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { compare, formatDecimal, subtract } from '#domain/money/decimal.ts'
import { type Due, type DueReminder, dueReminders, type Situation } from '#domain/reminders/due-reminders.ts'
import type { Reminders } from '#domain/reminders/reminders.ts'
import type { DB } from '#server/db/schema.ts'
import { listContacts, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { listElasticBalances } from '#server/modules/elastic/elastic.public.ts'
import { listContractRows } from '#server/modules/fsa/fsa.public.ts'
import { listDaysOfDenials, listSilentHosts } from '#server/modules/license-use/license-use.public.ts'
import { action, facts, type Mail, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import { listBudgeted } from '#server/modules/reminders/budgets.ts'
import { listEndings, loadReminders, lockReminders, markSent } from '#server/modules/reminders/reminders.queries.ts'
import type { Services } from '#server/services.ts'

type Account = { readonly customerNumber: string; readonly name: string; readonly timeZone: string }

/**
 * Mails the reminders of an account that are due and not mailed yet, in one mail. They are marked as mailed in the same
 * transaction as the mail, so that each threshold is mailed once, even if several processes run this.
 */
export async function checkReminders(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  customerNumber: string,
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    await lockReminders(tx, customerNumber)
    const reminders = await loadReminders(tx, customerNumber)
    const contacts = new Set((await listContacts(tx, customerNumber)).map(({ email }) => email))
    // Former contacts get no reminders.
    const to = reminders.recipients.filter((email) => contacts.has(email))
    if (to.length === 0) return
    const { name, time_zone } = await loadAccount(tx, customerNumber)
    const account: Account = { customerNumber, name, timeZone: time_zone }
    const due = await listDue(tx, account, reminders, services.clock.now())
    const told = due.map(({ keys: [tightest = '', ...others], reminder }) => ({
      tightest,
      others,
      text: textOf(reminder),
      reminder,
    }))
    const fresh = await markSent(
      tx,
      customerNumber,
      told.flatMap(({ tightest, others, text }) => [
        { key: tightest, told: text },
        ...others.map((key) => ({ key, told: null })),
      ]),
      services.clock.now(),
    )
    const news = told.filter(({ tightest }) => fresh.has(tightest))
    if (news.length > 0) await queueMail(tx, services, mailOf(account, to, news, services.config), 'no limit')
  })
}

/** All reminders that are due now, mailed before or not. */
export async function listDue(
  tx: Transaction<DB>,
  account: Pick<Account, 'customerNumber' | 'timeZone'>,
  reminders: Reminders,
  now: Date,
): Promise<Due[]> {
  return dueReminders(reminders, await loadSituation(tx, account, reminders, now))
}

async function loadSituation(
  tx: Transaction<DB>,
  { customerNumber, timeZone }: Pick<Account, 'customerNumber' | 'timeZone'>,
  { leadDays, elastic, fsa, budgets, seatDenials, silentServers }: Reminders,
  now: Date,
): Promise<Situation> {
  const today = dayIn(timeZone, now)
  return {
    today,
    endings:
      leadDays.length > 0 ? await listEndings(tx, customerNumber, today, addDays(today, Math.max(...leadDays))) : [],
    balances: [
      ...(elastic.length > 0 ? await listUnits(tx, customerNumber, today) : []),
      ...(fsa.length > 0 ? await listFsaBalances(tx, customerNumber, today) : []),
    ],
    spending: await listBudgeted(tx, customerNumber, budgets, today),
    // Yesterday as well: the logs of a day may arrive after midnight.
    seatDenials: seatDenials ? await listDaysOfDenials(tx, customerNumber, addDays(today, -1)) : [],
    silentServers: silentServers ? await listSilentHosts(tx, customerNumber, now) : [],
  }
}

/** More balances than anybody has. */
const MAX_BALANCES = 1000

async function listUnits(tx: Transaction<DB>, customerNumber: string, today: string): Promise<Situation['balances']> {
  const balances = await listElasticBalances(tx, customerNumber, today, MAX_BALANCES)
  return balances
    .filter(({ total }) => compare(total, 0) > 0)
    .map(({ activation_id, product_name, currency, total, used }) => ({
      kind: 'elastic' as const,
      activationId: activation_id,
      product: product_name,
      currency,
      total,
      remaining: subtract(total, used),
    }))
}

async function listFsaBalances(
  tx: Transaction<DB>,
  customerNumber: string,
  today: string,
): Promise<Situation['balances']> {
  const contracts = await listContractRows(tx, customerNumber)
  return contracts
    .filter(({ end_date }) => end_date >= today)
    .map(({ activation_id, product_name, currency, price, available }) => ({
      kind: 'fsa' as const,
      activationId: activation_id,
      product: product_name,
      currency,
      total: price,
      remaining: available,
    }))
}

function textOf(reminder: DueReminder): string {
  switch (reminder.kind) {
    case 'ending': {
      const { ending, daysLeft } = reminder
      return `${ending.product} (${ending.activationId}) ends on ${ending.endsOn}: ${daysLeft === 1 ? '1 day' : `${daysLeft} days`} left`
    }
    case 'balance': {
      const { balance, threshold } = reminder
      const left = `${formatDecimal(balance.remaining, 2)} of ${formatDecimal(balance.total, 2)} ${balance.currency}`
      const limit =
        threshold.measure === 'percent'
          ? `${threshold.value}%`
          : `${formatDecimal(threshold.value, 2)} ${balance.currency}`
      return `${balance.product} (${balance.activationId}) has ${left} left. You asked to be told at ${limit}`
    }
    case 'budget': {
      const { spending, amount } = reminder
      const spent = `${formatDecimal(spending.spent, 2)} ${spending.currency}`
      return `The ${spending.by} ${spending.name} has used ${spent} this month. The budget is ${formatDecimal(amount, 2)}`
    }
    case 'denials': {
      const { hostName, feature, day, count } = reminder.denials
      return `${hostName} has turned users of ${feature} away on ${day}, ${count === 1 ? 'once' : `${count} times`} so far: all seats were in use`
    }
    case 'silence': {
      const { hostName, reportedAt } = reminder.server
      return `${hostName} has not reported since ${reportedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
    }
  }
}

const LABELS = {
  ending: 'Ends soon',
  balance: 'Low balance',
  budget: 'Over budget',
  denials: 'Seats denied',
  silence: 'No reports',
} as const
const MAX_LISTED = 50

function mailOf(
  { customerNumber, name }: Account,
  to: readonly string[],
  news: readonly { readonly text: string; readonly reminder: DueReminder }[],
  { brand, origin }: Services['config'],
): Mail {
  const title = news.length === 1 ? `Reminder for ${name}` : `${news.length} reminders for ${name}`
  const rest = news.length - MAX_LISTED
  return {
    customerNumber,
    to,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        facts(
          ['Account', `${customerNumber} (${name})`],
          ...news.slice(0, MAX_LISTED).map(({ reminder, text }) => [LABELS[reminder.kind], `${text}.`] as const),
        ),
        ...(rest > 0
          ? [paragraph(`There are ${rest.toLocaleString('en-US')} more. The portal shows all of them.`)]
          : []),
        paragraph('Each of these is mailed once. Budgets only warn: nobody is stopped.'),
        action('Open the portal', `${origin}/home?customer=${encodeURIComponent(customerNumber)}`),
        action('Change reminders', `${origin}/reminders?customer=${encodeURIComponent(customerNumber)}`),
      ],
    },
  }
}
