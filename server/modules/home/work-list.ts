import type { Kysely } from 'kysely'
import type { AccountHome, HiddenHomeMatter, HomeMatter, hideMatter as hide } from '#contract/home/account-home.ts'
import { addDays, type CalendarDay, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import { countEndingWithin, type EndingDay } from '#domain/home/ending.ts'
import { unitMatters } from '#domain/home/unit-matters.ts'
import {
  DENIAL_DAYS,
  ENDS_SOON,
  fewOfEachKind,
  type HiddenMatter,
  isHidden,
  type Matter,
  type MatterKind,
  matter,
  matterKey,
  sortedMatters,
} from '#domain/home/work-list.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findFirstToRenew } from '#server/modules/activations/activations.public.ts'
import { listEndedPinLocks, listReachedLimits, listStillDenied } from '#server/modules/elastic/elastic.public.ts'
import { saveHiddenMatter } from '#server/modules/home/hidden-matters.queries.ts'
import { listFeaturesStillDenied } from '#server/modules/license-use/license-use.public.ts'
import {
  listStillDeniedCheckouts,
  type StillDeniedCheckouts,
} from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call } from '#server/operations/route.ts'

/** A bound for the answer, the most denied first. */
const MAX_CHECKOUTS = 1000

/** What the rest of Home has loaded already. */
export type HomeFacts = Omit<AccountHome, keyof ReturnType<typeof partMatters>>

/** What Home does not show itself of elastic units. */
export type UnitFacts = Pick<Parameters<typeof unitMatters>[0], 'trends' | 'lastEnd'>

type On = {
  readonly customerNumber: string
  readonly timeZone: string
  readonly now: Date
  readonly units: UnitFacts
}

/** What should be done on an account, from what Home shows and from the denials of the last days. */
export async function loadMatters(db: Kysely<DB>, home: HomeFacts, on: On): Promise<Matter[]> {
  const { customerNumber, timeZone, now, units } = on
  const { today } = home
  const firstDay = addDays(today, 1 - DENIAL_DAYS)
  const since = startOfDay(timeZone, firstDay)
  const denied = home.denials ? await listStillDenied(db, customerNumber, { since, now }) : []
  const locks = home.denials ? await listEndedPinLocks(db, customerNumber, { since, now }) : []
  const limits = home.denials ? await listReachedLimits(db, customerNumber, { today, now }) : []
  const checkouts = home.webDenials?.count
    ? await listStillDeniedCheckouts(db, customerNumber, { since, today, limit: MAX_CHECKOUTS })
    : []
  const seats = home.seatDenials
    ? await listFeaturesStillDenied(db, customerNumber, { since: firstDay, today, timeZone })
    : []
  const { leases, webLicenses, elastic, contracts } = home.ending
  const toRenew = leases?.length ? await findFirstToRenew(db, customerNumber, { today, days: ENDS_SOON }) : null
  const matters: Matter[] = [
    ...denied.flatMap(({ reason, ...about }) => {
      const kind = DENIAL_MATTERS[reason]
      return kind ? [matter(kind, about)] : []
    }),
    ...checkouts.map(({ reason, product, ...denied }) =>
      matter(CHECKOUT_MATTERS[reason], { subject: product, ...denied }),
    ),
    ...seats.map(({ feature, count }) => matter('SEATS_DENIED', { subject: feature, count })),
    ...locks.map(({ server_id, external_ip, failures }) =>
      matter('LOCK_ENDED', { server: server_id, subject: external_ip, count: failures }),
    ),
    ...limits.map(({ isReached, subject }) => matter(isReached ? 'LIMIT_REACHED' : 'LIMIT_NEAR', { subject })),
    matter('SERVERS_SILENT', { count: home.silentServers ?? 0 }),
    matter('DOMAINS_FAILING', { count: home.failingDomains ?? 0 }),
    matter('REQUESTS_WAIT', { count: home.openRequests ?? 0 }),
    ...(home.accessReview ? [reviewMatter(home.accessReview)] : []),
    ...unitMatters(
      { balances: home.elasticBalances ?? [], ...units, hasDenials: (home.denials?.count ?? 0) > 0 },
      today,
    ),
    ...(toRenew === null ? [] : [leasesMatter(leases ?? [], toRenew, today)]),
    endMatter('WEB_LICENSES_END', webLicenses, today),
    endMatter('ELASTIC_ENDS', elastic, today),
    endMatter('CONTRACTS_END', contracts, today),
    matter('FILES_OUT_OF_DATE', { count: home.outOfDateHosts ?? 0 }),
    matter('EMAILS_UNDELIVERED', { count: home.undeliveredEmails ?? 0 }),
    matter('MAINTENANCE_ENDED', { count: home.maintenanceEnded ?? 0 }),
  ]
  return sortedMatters(matters, today)
}

/** Starts without units are left out: what is used up is a matter of its own. */
const DENIAL_MATTERS: Partial<Record<SessionRefusal, MatterKind>> = {
  ADDRESS_NOT_ALLOWED: 'ADDRESS_DENIED',
  USER_NOT_ALLOWED: 'USER_DENIED',
  LOCKED: 'ADDRESS_LOCKED',
  UNKNOWN_PRODUCT: 'PRODUCT_DENIED',
  WRONG_PIN: 'PIN_DENIED',
}

const CHECKOUT_MATTERS = {
  NO_SEAT: 'CHECKOUT_DENIED',
  USER_NOT_ASSIGNED: 'CHECKOUT_UNASSIGNED',
  ENTITLEMENT_EXPIRED: 'CHECKOUT_EXPIRED',
} as const satisfies Record<StillDeniedCheckouts['reason'], MatterKind>

/** Counts all leases that end, as the other screens do. They are a matter while seats of one of them need a renewal. */
function leasesMatter(days: readonly EndingDay[], toRenew: CalendarDay, today: CalendarDay): Matter {
  return matter('LEASES_END', {
    count: countEndingWithin(days, ENDS_SOON, today),
    withSeats: countEndingWithin(days, ENDS_SOON, today, 'withSeats'),
    day: toRenew,
  })
}

/** A review in which everything is decided still has to be finished. */
const reviewMatter = ({ undecided, dueOn }: NonNullable<HomeFacts['accessReview']>): Matter =>
  undecided > 0
    ? matter('ACCESS_UNDECIDED', { count: undecided, day: dueOn })
    : matter('REVIEW_UNFINISHED', { day: dueOn })

function endMatter(kind: MatterKind, days: readonly EndingDay[] | null, today: CalendarDay): Matter {
  return matter(kind, { count: countEndingWithin(days ?? [], ENDS_SOON, today), day: days?.[0]?.day ?? null })
}

/** Parts what waits from what the person has hidden, and names a few of each kind. */
export function partMatters(
  matters: readonly Matter[],
  hidden: readonly HiddenMatter[],
  today: CalendarDay,
): { matters: HomeMatter[]; moreMatters: AccountHome['moreMatters']; hiddenMatters: HiddenHomeMatter[] } {
  const byKey = new Map(hidden.map((one) => [one.key, one]))
  const keyed = matters.map((one) => ({ key: matterKey(one), ...one }))
  return {
    ...fewOfEachKind(keyed.filter((one) => !isHidden(one, byKey.get(one.key), today))),
    hiddenMatters: keyed
      .filter((one) => isHidden(one, byKey.get(one.key), today))
      .map((one) => ({ ...one, until: byKey.get(one.key)?.until ?? null })),
  }
}

/** Hides a matter that is on the list now, so that nobody can fill the table with names that mean nothing. */
export async function hideMatter(
  { body, db, actor, now, standing }: Call<typeof hide>,
  home: AccountHome,
): Promise<void> {
  const { key, until } = body
  if (until !== undefined && until <= home.today) throw new HttpError(400, 'until must be a day after today')
  const found = [...home.matters, ...home.hiddenMatters].find((one) => one.key === key)
  if (!found) throw new HttpError(404, 'This is not on the list any more.')
  const of = { customer_number: standing.customerNumber, email: actor.email }
  await saveHiddenMatter(db, of, { key, until: until ?? null, count: found.count }, now)
}
