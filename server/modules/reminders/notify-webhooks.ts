import type { WebhookEvent } from '#contract/webhooks/webhook-events.ts'
import { toFixedText } from '#domain/money/decimal.ts'
import type { DueReminder } from '#domain/reminders/due-reminders.ts'
import { NO_REMINDERS, type Reminders } from '#domain/reminders/reminders.ts'
import { ENDING_DAYS, type EventType } from '#domain/webhooks/event-types.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { listDue } from '#server/modules/reminders/check-reminders.ts'
import { loadReminders, lockReminders, markSent } from '#server/modules/reminders/reminders.queries.ts'
import { listChosenEvents, writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Services } from '#server/services.ts'

export const REMINDED_EVENTS = ['entitlement.ending', 'balance.low', 'license_server.silent'] as const

/** For accounts that have set no thresholds for mails. */
const DEFAULT_THRESHOLDS: Reminders['elastic'] = ['20', '10', '0'].map((value) => ({ measure: 'percent', value }))

/**
 * Tells the webhooks of an account what ends soon, which balances run low and which license servers are silent, as far as
 * one has chosen it. Each threshold is told once: it is marked in the transaction that writes its event, apart from what is
 * mailed. When several are crossed at once, the tightest is told.
 */
export async function notifyWebhooks(
  { db, clock }: Pick<Services, 'clock' | 'db'>,
  customerNumber: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockReminders(tx, customerNumber)
    const { time_zone: timeZone } = await loadAccount(tx, customerNumber)
    const now = clock.now()
    const chosen = await listChosenEvents(tx, customerNumber)
    const reminders = webhookReminders(await loadReminders(tx, customerNumber), chosen)
    const due = await listDue(tx, { customerNumber, timeZone }, reminders, now)
    const told = due.map(({ keys, reminder }) => ({ keys: keys.map((key) => `webhook ${key}`), reminder }))
    const entries = told.flatMap(({ keys }) => keys.map((key) => ({ key, told: null })))
    const fresh = await markSent(tx, customerNumber, entries, now)
    const news = told.filter(({ keys: [tightest = ''] }) => fresh.has(tightest))
    await writeEvents(
      tx,
      customerNumber,
      now,
      news.flatMap(({ reminder }) => eventOf(reminder) ?? []),
    )
  })
}

/** Reminders count the last day as one, webhooks as none. */
const webhookReminders = ({ elastic, fsa }: Reminders, chosen: ReadonlySet<EventType>): Reminders => ({
  ...NO_REMINDERS,
  ...(chosen.has('entitlement.ending') ? { leadDays: ENDING_DAYS.map((days) => days + 1) } : {}),
  ...(chosen.has('balance.low')
    ? {
        elastic: elastic.length > 0 ? elastic : DEFAULT_THRESHOLDS,
        fsa: fsa.length > 0 ? fsa : DEFAULT_THRESHOLDS,
      }
    : {}),
  silentServers: chosen.has('license_server.silent'),
})

function eventOf(reminder: DueReminder): WebhookEvent | undefined {
  if (reminder.kind === 'ending') {
    const { activationId, product, quantity, endsOn } = reminder.ending
    const daysLeft = reminder.daysLeft - 1
    return { type: 'entitlement.ending', data: { activationId, product, quantity, endDate: endsOn, daysLeft } }
  }
  if (reminder.kind === 'balance') {
    const { kind, total, remaining, ...balance } = reminder.balance
    const { measure, value } = reminder.threshold
    return {
      type: 'balance.low',
      data: {
        ...balance,
        kind: kind === 'fsa' ? 'spending account' : kind,
        total: toFixedText(total, 2),
        remaining: toFixedText(remaining, 2),
        threshold: { measure, value },
      },
    }
  }
  if (reminder.kind === 'silence') {
    const { hostId, hostName, reportedAt } = reminder.server
    return { type: 'license_server.silent', data: { hostId, hostName, reportedAt: reportedAt.toISOString() } }
  }
  return undefined
}
