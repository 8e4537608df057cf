import type { Kysely } from 'kysely'
import type {
  AccountHome,
  getAccountHome,
  HomeBalance,
  HomeElasticBalance,
  HomeElasticUse,
} from '#contract/home/account-home.ts'
import { can } from '#domain/access/can.ts'
import type { Standing } from '#domain/access/standing.ts'
import { addDays, type CalendarDay, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { type BalanceForecast, USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { type UsageTrend, usageTrends } from '#domain/elastic/balances/usage-trend.ts'
import { unitsUsedPercentage } from '#domain/entitlements/elastic-balance.ts'
import { daysLeft } from '#domain/entitlements/term.ts'
import { spentPercentage } from '#domain/fsa/balance.ts'
import { isFsaActive } from '#domain/fsa/entry.ts'
import { ENDING_KINDS, type EndingDay, MAX_STEP } from '#domain/home/ending.ts'
import { homeParts } from '#domain/home/home-parts.ts'
import { DENIAL_DAYS } from '#domain/home/work-list.ts'
import { subtract, toFixedText } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { findOpenWork } from '#server/modules/access-review/access-review.public.ts'
import { countOutOfDate } from '#server/modules/activations/activations.public.ts'
import {
  countDenialsSince,
  countRunningSessions,
  findLastElasticEnd,
  listElasticBalances,
  loadRunOutForecast,
} from '#server/modules/elastic/elastic.public.ts'
import { countEndingByDay, countMaintenanceEnded } from '#server/modules/entitlements/entitlements.public.ts'
import { listContractRows } from '#server/modules/fsa/fsa.public.ts'
import { listHiddenMatters } from '#server/modules/home/hidden-matters.queries.ts'
import { type HomeFacts, loadMatters, partMatters, type UnitFacts } from '#server/modules/home/work-list.ts'
import { countRealDenialsSince, listOffersOf, listSilentHosts } from '#server/modules/license-use/license-use.public.ts'
import { countOpenAlerts, countUndelivered } from '#server/modules/messages/messages.public.ts'
import { loadBudgets } from '#server/modules/reminders/reminders.public.ts'
import { countOpenRequests } from '#server/modules/requests/requests.public.ts'
import { countFailingDomains } from '#server/modules/sign-in-providers/sign-in-providers.public.ts'
import { countRunningWebCheckouts, countWebDenials } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call } from '#server/operations/route.ts'

/** More than anybody reads; the screen behind the card has them all. */
const MAX_BALANCES = 100

type HomeCall = Pick<Call<typeof getAccountHome>, 'actor' | 'standing' | 'timeZone' | 'db' | 'now'>

/**
 * Everything on the account that needs attention and that the caller may see. The parts are read one after the other:
 * together they take a few milliseconds, and Home must not use several connections at once.
 */
export async function loadAccountHome(call: HomeCall): Promise<AccountHome> {
  const { actor, standing, timeZone, db, now } = call
  const { customerNumber } = standing
  const { units, ...home } = await loadFacts(call)
  const matters = await loadMatters(db, home, { customerNumber, timeZone, now, units })
  const hidden = await listHiddenMatters(db, { customer_number: customerNumber, email: actor.email }, timeZone)
  return { ...home, ...partMatters(matters, hidden, home.today) }
}

async function loadFacts({ actor, standing, timeZone, db, now }: HomeCall): Promise<HomeFacts & { units: UnitFacts }> {
  const today = dayIn(timeZone, now)
  const parts = homeParts(actor, standing)
  const leases = parts.leases ? await loadLeases(db, standing, today) : null
  const elastic = parts.elastic ? await loadElastic(db, standing.customerNumber, today, timeZone) : null
  const web = parts.webLicenses ? await loadWebLicenses(db, standing.customerNumber, today, timeZone) : null
  const contracts = parts.contracts ? await loadContracts(db, standing.customerNumber, today) : null
  return {
    today,
    units: elastic?.units ?? { trends: [], lastEnd: null },
    ending: {
      leases: leases?.ending ?? null,
      webLicenses: leases?.endingWebLicenses ?? null,
      elastic: elastic?.ending ?? null,
      contracts: contracts?.ending ?? null,
    },
    maintenanceEnded: leases?.maintenanceEnded ?? null,
    elasticBalances: elastic?.balances ?? null,
    elasticUse: elastic?.units.trends.map(toUse) ?? null,
    budgets: elastic ? toBudgets(await loadBudgets(db, standing.customerNumber, today)) : null,
    contractBalances: contracts?.balances ?? null,
    runningSessions: elastic?.runningSessions ?? null,
    denials: elastic?.denials ?? null,
    runningCheckouts: web?.runningCheckouts ?? null,
    webDenials: web?.denials ?? null,
    outOfDateHosts: parts.hosts ? await countOutOfDate(db, standing.customerNumber, today) : null,
    seatDenials: parts.hosts
      ? await countRealDenialsSince(db, standing.customerNumber, addDays(today, 1 - DENIAL_DAYS))
      : null,
    silentServers: parts.hosts ? (await listSilentHosts(db, standing.customerNumber, now)).length : null,
    seatOffers: parts.hosts ? await listOffersOf(db, standing.customerNumber, actor.email) : null,
    undeliveredEmails: parts.emails ? await countUndelivered(db, standing.customerNumber) : null,
    failingDomains: can(actor, 'sign-in-provider.manage', standing).allowed
      ? await countFailingDomains(db, standing.customerNumber)
      : null,
    openRequests: can(actor, 'requests.decide', standing).allowed
      ? await countOpenRequests(db, standing.customerNumber, now)
      : null,
    accessReview: can(actor, 'access-review.manage', standing).allowed
      ? await findOpenWork(db, standing.customerNumber)
      : null,
    openAlerts: await countOpenAlerts(db, now),
  }
}

/** One screen lists web licenses and other leases. */
async function loadLeases(db: Kysely<DB>, { customerNumber, holdings }: Standing, today: CalendarDay) {
  const soon = { today, days: MAX_STEP }
  const hasWebLicenses = holdings.sharedWeb || holdings.namedUser
  return {
    ending: await countEndingByDay(db, customerNumber, ENDING_KINDS.leases, soon),
    endingWebLicenses: hasWebLicenses
      ? await countEndingByDay(db, customerNumber, ENDING_KINDS.webLicenses, soon)
      : null,
    maintenanceEnded: await countMaintenanceEnded(db, customerNumber, today),
  }
}

async function loadElastic(db: Kysely<DB>, customerNumber: string, today: CalendarDay, timeZone: string) {
  const from = addDays(today, 1 - DENIAL_DAYS)
  const balances = await listElasticBalances(db, customerNumber, today, MAX_BALANCES)
  const forecast = await loadRunOutForecast(db, customerNumber, today)
  const runOuts = new Map(forecast.balances.map((balance) => [balance.activationId, usualRunOut(balance)]))
  return {
    ending: await countEndingByDay(db, customerNumber, ENDING_KINDS.elastic, { today, days: MAX_STEP }),
    balances: balances.map((row) => ({
      ...toElasticBalance(row),
      purchaseOrder: row.po_number,
      runOut: runOuts.get(row.activation_id) ?? null,
    })),
    units: {
      trends: usageTrends(forecast),
      lastEnd: balances.length > 0 ? null : await findLastElasticEnd(db, customerNumber, today),
    },
    runningSessions: await countRunningSessions(db, customerNumber),
    denials: { from, count: await countDenialsSince(db, customerNumber, startOfDay(timeZone, from)) },
  }
}

async function loadWebLicenses(db: Kysely<DB>, customerNumber: string, today: CalendarDay, timeZone: string) {
  const from = addDays(today, 1 - DENIAL_DAYS)
  return {
    runningCheckouts: await countRunningWebCheckouts(db, customerNumber),
    denials: { from, count: await countWebDenials(db, customerNumber, startOfDay(timeZone, from)) },
  }
}

type ElasticRow = Awaited<ReturnType<typeof listElasticBalances>>[number]

function toElasticBalance({ activation_id, product_name, currency, total, used, end_date }: ElasticRow): HomeBalance {
  return {
    id: activation_id,
    product: product_name,
    currency,
    total: toFixedText(total, 2),
    remaining: toFixedText(subtract(total, used), 2),
    endDate: end_date,
    isActive: unitsUsedPercentage({ lines: 1, unitsPerLine: total, used }) !== 100,
  }
}

const toUse = ({ currency, days, end }: UsageTrend): HomeElasticUse => ({
  currency,
  days: days.map(({ used }) => used),
  end: { outcome: end.kind, on: end.kind === 'runs out' ? end.on : end.kind === 'not used up' ? end.until : null },
})

function toBudgets(budgets: Awaited<ReturnType<typeof loadBudgets>>): HomeFacts['budgets'] {
  if (!budgets) return null
  const over = budgets.over.map((one) => ({
    ...one,
    amount: toFixedText(one.amount, 2),
    spent: toFixedText(one.spent, 2),
  }))
  return { count: budgets.count, over }
}

function usualRunOut({ windows }: Pick<BalanceForecast, 'windows'>): HomeElasticBalance['runOut'] {
  const runOut = windows.find(({ window }) => window === USUAL_WINDOW)?.runOut
  return runOut ? { outcome: runOut.kind, on: runOut.kind === 'runs out' ? runOut.on : null } : null
}

/** Spending accounts that are valid today. Those that end soon are counted as long as they can be ordered from. */
async function loadContracts(db: Kysely<DB>, customerNumber: string, today: CalendarDay) {
  const rows = await listContractRows(db, customerNumber)
  const valid = rows.filter(({ start_date, end_date }) => start_date <= today && end_date >= today)
  const balances = valid.map((row) => toContractBalance(row, today)).sort(byEnd)
  const soon = balances.filter((one) => one.isActive && daysLeft(one.endDate, today) <= MAX_STEP)
  const days = Map.groupBy(soon, ({ endDate }) => endDate)
  return {
    ending: [...days].map(([day, ending]): EndingDay => ({ day, count: ending.length })),
    balances: balances.slice(0, MAX_BALANCES),
  }
}

type ContractRow = Awaited<ReturnType<typeof listContractRows>>[number]

function toContractBalance(row: ContractRow, today: CalendarDay): HomeBalance & { endDate: CalendarDay } {
  const term = { startDate: row.start_date, endDate: row.end_date }
  const spent = spentPercentage(row.price, subtract(row.price, row.available))
  return {
    id: row.fsa_id,
    product: row.product_name,
    currency: row.currency,
    total: toFixedText(row.price, 2),
    remaining: toFixedText(row.available, 2),
    endDate: row.end_date,
    isActive: isFsaActive(term, spent, today),
  }
}

const byEnd = (one: { endDate: CalendarDay }, other: { endDate: CalendarDay }) =>
  Number(one.endDate > other.endDate) - Number(one.endDate < other.endDate)
