import type { Kysely } from 'kysely'
import type { AccountHome, HiddenHomeMatter, HomeMatter, hideMatter as hide } from '#contract/home/account-home.ts'
import { addDays, type CalendarDay, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import { daysLeft } from '#domain/entitlements/term.ts'
import { countEndingWithin, type EndingDay } from '#domain/home/ending.ts'
import {
  DENIAL_DAYS,
  ENDS_SOON,
  type HiddenMatter,
  isHidden,
  type Matter,
  type MatterKind,
  matterKey,
  RUNS_OUT_SOON,
  sortedMatters,
} from '#domain/home/work-list.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { countToRenew } from '#server/modules/activations/activations.public.ts'
import { listStillDenied } from '#server/modules/elastic/elastic.public.ts'
import { saveHiddenMatter } from '#server/modules/home/hidden-matters.queries.ts'
import {
  listStillDeniedCheckouts,
  type StillDeniedCheckouts,
} from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call } from '#server/operations/route.ts'

/** So many products and users with denied checkouts are named. */
const MOST_CHECKOUTS = 10

/** What the rest of Home has loaded already. */
export type HomeFacts = Omit<AccountHome, 'matters' | 'hiddenMatters'>

type On = { readonly customerNumber: string; readonly timeZone: string; readonly now: Date }

/** What should be done on an account, from what Home shows and from the denials of the last days. */
export async function loadMatters(db: Kysely<DB>, home: HomeFacts, on: On): Promise<Matter[]> {
  const { customerNumber, timeZone, now } = on
  const { today } = home
  const since = startOfDay(timeZone, addDays(today, 1 - DENIAL_DAYS))
  const denied = home.denials ? await listStillDenied(db, customerNumber, { since, now }) : []
  const checkouts = home.webDenials?.count
    ? await listStillDeniedCheckouts(db, customerNumber, { since, today, limit: MOST_CHECKOUTS })
    : []
  const toRenew = home.ending.leases?.length
    ? await countToRenew(db, customerNumber, { today, days: ENDS_SOON })
    : { count: 0, first: null }
  const { webLicenses, elastic, contracts } = home.ending
  const matters: Matter[] = [
    ...denied.flatMap(({ reason, ...about }) => {
      const kind = DENIAL_MATTERS[reason]
      return kind ? [matter(kind, about)] : []
    }),
    ...checkouts.map(({ reason, product, ...denied }) =>
      matter(CHECKOUT_MATTERS[reason], { subject: product, ...denied }),
    ),
    matter('SEATS_DENIED', { count: home.seatDenials ?? 0 }),
    matter('SERVERS_SILENT', { count: home.silentServers ?? 0 }),
    matter('REQUESTS_WAIT', { count: home.openRequests ?? 0 }),
    ...unitMatters(home),
    matter('LEASES_END', { count: toRenew.count, day: toRenew.first }),
    endMatter('WEB_LICENSES_END', webLicenses, today),
    endMatter('ELASTIC_ENDS', elastic, today),
    endMatter('CONTRACTS_END', contracts, today),
    matter('FILES_OUT_OF_DATE', { count: home.outOfDateHosts ?? 0 }),
    matter('EMAILS_UNDELIVERED', { count: home.undeliveredEmails ?? 0 }),
    matter('MAINTENANCE_ENDED', { count: home.maintenanceEnded ?? 0 }),
  ]
  return sortedMatters(matters, today)
}

const matter = (kind: MatterKind, values: Partial<Matter>): Matter => ({
  kind,
  subject: '',
  server: '',
  user: '',
  users: 0,
  count: 1,
  day: null,
  ...values,
})

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

function unitMatters({ elasticBalances, today }: HomeFacts): Matter[] {
  const balances = elasticBalances ?? []
  // Where other units are left, the used-up ones stop nobody.
  const isEmpty = balances.length > 0 && balances.every(({ isActive }) => !isActive)
  const lasting = balances.map(({ runOut }) => runOut?.on ?? null).filter((day) => day !== null)
  const last = lasting.sort().at(-1) ?? null
  const active = balances.filter(({ isActive }) => isActive)
  const runsOut = active.length > 0 && active.every(({ runOut }) => runOut?.on) && last !== null
  return [
    ...(isEmpty ? [matter('UNITS_USED_UP', { count: balances.length })] : []),
    ...(runsOut && daysLeft(last, today) <= RUNS_OUT_SOON ? [matter('UNITS_RUN_OUT', { day: last })] : []),
  ]
}

function endMatter(kind: MatterKind, days: readonly EndingDay[] | null, today: CalendarDay): Matter {
  return matter(kind, { count: countEndingWithin(days ?? [], ENDS_SOON, today), day: days?.[0]?.day ?? null })
}

/** Parts what waits from what the person has hidden. */
export function partMatters(
  matters: readonly Matter[],
  hidden: readonly HiddenMatter[],
  today: CalendarDay,
): { matters: HomeMatter[]; hiddenMatters: HiddenHomeMatter[] } {
  const byKey = new Map(hidden.map((one) => [one.key, one]))
  const keyed = matters.map((one) => ({ key: matterKey(one), ...one }))
  return {
    matters: keyed.filter((one) => !isHidden(one, byKey.get(one.key), today)),
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
