import type { Transaction } from 'kysely'
import { dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { isAtAmount, usedOf } from '#domain/elastic/limits/decide-start.ts'
import { limitText, namedSubject, subjectText } from '#domain/elastic/limits/limit.ts'
import { resetDay } from '#domain/elastic/limits/limit-period.ts'
import { formatDecimal, formatHundredths } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators } from '#server/modules/accounts/accounts.public.ts'
import type { SubjectUse } from '#server/modules/elastic/limits/limit-use.queries.ts'
import { type At, loadUsedLimits } from '#server/modules/elastic/limits/limit-use.ts'
import {
  findOpenAccount,
  listLimitedAccounts,
  listLimits,
  type StoredLimit,
} from '#server/modules/elastic/limits/limits.queries.ts'
import { markTold } from '#server/modules/elastic/limits/limits-told.queries.ts'
import { action, facts, pageUrl, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Services } from '#server/services.ts'
import { ofAccounts, tryEach } from '#server/tasks/try-each.ts'

type Needed = Pick<Services, 'clock' | 'config' | 'db'>
type News = { readonly limit: StoredLimit; readonly use: SubjectUse }

/** Tells every account with limits what is news about them. An account that fails does not block the others. */
export async function checkAllLimits(services: Needed): Promise<void> {
  const accounts = await listLimitedAccounts(services.db)
  await tryEach(accounts, { ...ofAccounts, complaint: 'limits could not be checked' }, (customerNumber) =>
    checkLimits(services, customerNumber),
  )
}

/**
 * Mails administrators which limits have come to where they warn, and tells webhooks which are reached, each once in a period. Both are
 * marked in the transaction that tells it.
 */
export async function checkLimits(services: Needed, customerNumber: string): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const account = await findOpenAccount(tx, customerNumber)
    if (!account) return
    const now = services.clock.now()
    const at: At = { now, timeZone: account.timeZone, today: dayIn(account.timeZone, now) }
    const limits = await listLimits(tx, customerNumber)
    const used = await loadUsedLimits(tx, customerNumber, limits, at)
    const uses = used.flatMap(({ limit, uses: own }) => own.map((use) => ({ limit, use })))
    const warned: News[] = []
    for (const { limit, use } of uses) {
      if (isAtAmount(limit.warnAt, use) && (await markTold(tx, customerNumber, 'warned', limit, use, at)))
        warned.push({ limit, use })
      if (isAtAmount(limit.refuseAt, use) && (await markTold(tx, customerNumber, 'reached', limit, use, at)))
        await writeEvents(tx, customerNumber, now, [reachedEvent({ limit, use }, at)])
    }
    if (warned.length > 0) await mailWarning(tx, services, { customerNumber, name: account.name }, warned, at)
  })
}

function reachedEvent({ limit, use }: News, { timeZone, today }: At) {
  const day = resetDay(limit, today)
  return {
    type: 'limit.reached' as const,
    data: {
      limitId: limit.id,
      limit: limitText(limit),
      subject: subjectText(namedSubject(limit, use)),
      currency: limit.currency,
      used: formatHundredths(usedOf(use)),
      refuseAt: limit.refuseAt ?? '',
      resetsAt: day === null ? null : startOfDay(timeZone, day).toISOString(),
    },
  }
}

const MAX_LISTED = 50

async function mailWarning(
  tx: Transaction<DB>,
  services: Needed,
  { customerNumber, name }: { readonly customerNumber: string; readonly name: string },
  news: readonly News[],
  { today }: At,
): Promise<void> {
  const to = await listAdministrators(tx, customerNumber)
  if (to.length === 0) return
  const { brand, origin } = services.config
  const title =
    news.length === 1 ? `A limit of ${name} is almost reached` : `${news.length} limits of ${name} are almost reached`
  const rest = news.length - MAX_LISTED
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        facts(
          ['Account', `${customerNumber} (${name})`],
          ...news
            .slice(0, MAX_LISTED)
            .map((one) => [subjectText(namedSubject(one.limit, one.use)), lineOf(one, today)] as const),
        ),
        ...(rest > 0
          ? [paragraph(`There are ${rest.toLocaleString('en-US')} more. The portal shows all of them.`)]
          : []),
        paragraph('Each of these is mailed once in its period. Running sessions are never ended by a limit.'),
        action('Open limits', pageUrl(origin, '/limits', customerNumber)),
      ],
    },
  }
  await queueMail(tx, services, mail, 'no limit')
}

function lineOf({ limit, use }: News, today: string): string {
  const used = `${formatDecimal(formatHundredths(usedOf(use)), 2)} ${limit.currency} are used`
  const at =
    limit.refuseAt === null ? 'no starts are refused' : `starts are refused at ${formatDecimal(limit.refuseAt, 2)}`
  const reset = resetDay(limit, today)
  return `${used}; ${at}${reset === null ? '' : `. It resets on ${reset}`}.`
}
