import type { Transaction } from 'kysely'
import type { UsageRecord } from '#contract/data/usage.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { Balances, type Draw } from '#domain/elastic/balances/draw-charge.ts'
import { sessionCharge } from '#domain/elastic/sessions/session-charge.ts'
import { canBeSessionOf } from '#domain/elastic/sessions/session-life.ts'
import { SESSION_REFUSALS } from '#domain/elastic/sessions/session-refusal.ts'
import { archivedRefusal, type Month } from '#domain/elastic/usage/archived-months.ts'
import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'
import { MissingPartitionError } from '#server/db/missing-partition-error.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import {
  type Drawing,
  loadDrawing,
  loadRates,
  loadTerms,
  type Rates,
  type Terms,
} from '#server/modules/elastic/balances/drawable.queries.ts'
import { continuationOf } from '#server/modules/elastic/sessions/close-sessions.ts'
import { bookCorrections, type Correction } from '#server/modules/elastic/usage/book-corrections.ts'
import { findArchivedBefore } from '#server/modules/elastic/usage/usage-archive.queries.ts'
import { bookUsage, lockAccounts, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { detailsOf } from '#server/modules/elastic/usage/usage-details.ts'
import { ensureEachMonth, listUsageMonths } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import {
  claimReceipts,
  findBookedHere,
  findServerOwners,
  partReceipt,
  releaseReceipts,
} from '#server/modules/elastic/usage/usage-receipts.queries.ts'

/** A transaction of a known account, with its times read. */
type Line = {
  readonly sent: UsageRecord
  readonly customerNumber: string
  readonly startedAt: Date
  readonly endedAt: Date
}
type Account = {
  readonly isExportApproved: boolean
  readonly dayOf: (instant: Date) => CalendarDay
  readonly balances: Balances
  /** Terms of entitlements that nothing new can be drawn on, by activation id. */
  readonly pastTerms: ReadonlyMap<string, Terms>
}
type Booked = { readonly draws: readonly Draw[]; readonly currency: string; readonly rateTableVersion: string }

const MINUTE = 60_000
/** In hundredths of elastic units, as much as the column holds. */
const LARGEST_CHARGE = 99_999_999_999_999n
/** Clocks differ a little. */
const AHEAD = 5 * MINUTE

export type BookingOptions = {
  readonly now: Date
  readonly oldest: Date
  /**
   * Past usage is stored as it was: a given charge is also booked on entitlements that are out of use, and for accounts
   * that export compliance has closed since.
   */
  readonly isHistory?: boolean
}

export type Booking = Refusal | 'booked' | 'known'

/**
 * Books a batch in one transaction, and answers what became of each element. Lines of an account are booked in the order
 * of their ends, whatever order they were sent in, so that the same batch draws in the same way. The lock on the accounts
 * makes batches wait for each other.
 */
export async function bookTransactions(
  tx: Transaction<DB>,
  transactions: readonly UsageRecord[],
  options: BookingOptions,
): Promise<Booking[]> {
  const outcomes = new Map<UsageRecord, Refusal | 'booked'>()
  const owners = await findServerOwners(tx, [...new Set(transactions.map(({ serverId }) => serverId))])
  const lines: Line[] = []
  for (const sent of transactions) {
    const customerNumber = owners.get(sent.serverId)
    const line = customerNumber === undefined ? UNKNOWN_SERVER : readLine(sent, customerNumber, options)
    if ('code' in line) outcomes.set(sent, line)
    else lines.push(line)
  }
  if (lines.length > 0) await bookLines(tx, lines, outcomes, options)
  return transactions.map((sent) => outcomes.get(sent) ?? 'known')
}

const UNKNOWN_SERVER = refusal('UNKNOWN_SERVER', 'No elastic license server has this id.')

function readLine(sent: UsageRecord, customerNumber: string, { now, oldest }: BookingOptions): Line | Refusal {
  const startedAt = new Date(sent.startTime)
  const endedAt = new Date(sent.endTime)
  const invalid = (err: string) => refusal('INVALID_TRANSACTION', err)
  // The format check of imported files accepts a leap second, but Date cannot hold it.
  if (Number.isNaN(startedAt.getTime()) || Number.isNaN(endedAt.getTime()))
    return invalid('startTime and endTime must not be leap seconds.')
  if (startedAt > endedAt) return invalid('endTime must not be before startTime.')
  if (endedAt.getTime() > now.getTime() + AHEAD) return invalid('endTime is in the future.')
  if (startedAt < oldest) return invalid(`startTime is before ${oldest.toISOString().slice(0, 10)}.`)
  const isNegative = sent.charge !== undefined && toHundredths(sent.charge) < 0n
  if (sent.correctionOf !== undefined && !isNegative) return invalid('A correction needs a negative charge.')
  if (sent.correctionOf === undefined && isNegative)
    return invalid('A negative charge needs correctionOf, the id of the original.')
  return { sent, customerNumber, startedAt, endedAt }
}

async function bookLines(
  tx: Transaction<DB>,
  lines: Line[],
  outcomes: Map<UsageRecord, Refusal | 'booked'>,
  { now, isHistory = false }: BookingOptions,
): Promise<void> {
  const customers = [...new Set(lines.map(({ customerNumber }) => customerNumber))]
  await lockAccounts(tx, customers)
  const accounts = await loadAccounts(tx, customers, isHistory ? lines : [])
  const rates = await loadRates(tx, [...new Set(lines.map(({ sent }) => sent.product))])
  const claimed = await claimFresh(tx, lines)
  const archivedBefore = await findArchivedBefore(tx)
  const fresh: Line[] = []
  const failed: Line[] = []
  for (const line of claimed) {
    const err = archivedRefusal(line.endedAt, archivedBefore)
    if (err === undefined) fresh.push(line)
    else {
      failed.push(line)
      outcomes.set(line.sent, refusal('MONTH_ARCHIVED', err))
    }
  }
  const rows: UsageRow[] = []
  const corrections: (Line & Correction)[] = []
  for (const line of fresh) {
    const account = accounts.get(line.customerNumber)
    if (!account) throw new Error(`account ${line.customerNumber} is gone`)
    if (isCorrection(line) && (account.isExportApproved || isHistory)) {
      corrections.push(line)
      continue
    }
    const rated = rates.get(line.sent.product)
    const booked = drawOn(account, rated, line, isHistory)
    if ('code' in booked) failed.push(line)
    else for (const row of rowsOf(line, booked, rated, now)) rows.push(row)
    outcomes.set(line.sent, 'code' in booked ? booked : 'booked')
  }
  await requireMonths(tx, fresh, isHistory ? Number.POSITIVE_INFINITY : startOfLastMonth(now))
  await bookUsage(tx, rows)
  const refused = await bookCorrections(tx, corrections, now)
  for (const line of corrections) outcomes.set(line.sent, refused.get(line) ?? 'booked')
  failed.push(...refused.keys())
  const failures = new Map(failed.map((line) => [keyOf(receiptOf(line)), outcomes.get(line.sent)]))
  for (const line of lines) {
    // The line repeats the id of a refused line in this batch, and gets the same answer.
    const failure = outcomes.has(line.sent) ? undefined : failures.get(keyOf(receiptOf(line)))
    if (failure) outcomes.set(line.sent, failure)
  }
  if (failed.length > 0)
    await releaseReceipts(
      tx,
      failed.map((line) => receiptOf(line)),
    )
}

const isCorrection = (line: Line): line is Line & Correction => line.sent.correctionOf !== undefined

/** `past` are lines that may name entitlements which nothing new can be drawn on. */
async function loadAccounts(
  tx: Transaction<DB>,
  customerNumbers: readonly string[],
  past: readonly Line[],
): Promise<ReadonlyMap<string, Account>> {
  const found: Drawing[] = []
  for (const customerNumber of customerNumbers) found.push(await loadDrawing(tx, customerNumber))
  const terms = await loadPastTerms(tx, found, past)
  return new Map(
    found.map((one) => [
      one.customer_number,
      {
        isExportApproved: isExportApproved(one.export_control_status),
        dayOf: dayFinder(one.time_zone),
        balances: new Balances(one.entitlements),
        pastTerms: terms.get(one.customer_number) ?? new Map(),
      },
    ]),
  )
}

/** Every offset of a time zone is a multiple of this, in milliseconds. */
const QUARTER = 15 * MINUTE

/** `dayIn`, which is slow, cached per quarter of an hour, because a batch has many instants. */
function dayFinder(timeZone: string): (instant: Date) => CalendarDay {
  const days = new Map<number, CalendarDay>()
  return (instant) => {
    const quarter = Math.floor(instant.getTime() / QUARTER)
    const day = days.get(quarter) ?? dayIn(timeZone, new Date(quarter * QUARTER))
    days.set(quarter, day)
    return day
  }
}

async function loadPastTerms(
  tx: Transaction<DB>,
  drawing: readonly Drawing[],
  past: readonly Line[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Terms>>> {
  const open = new Set(
    drawing.flatMap((one) => one.entitlements.map(({ activationId }) => `${one.customer_number} ${activationId}`)),
  )
  const wanted = new Map<string, { customerNumber: string; activationId: string }>()
  for (const { customerNumber, sent } of past) {
    const { activationId = '' } = sent
    const key = `${customerNumber} ${activationId}`
    if (activationId !== '' && !open.has(key)) wanted.set(key, { customerNumber, activationId })
  }
  return wanted.size === 0 ? new Map() : loadTerms(tx, [...wanted.values()])
}

/**
 * Lines whose id was not taken before, neither by another call nor by this one nor by a session. They come account by
 * account, which suits the indexes, and within an account in the order of their ends.
 */
async function claimFresh(tx: Transaction<DB>, all: readonly Line[]): Promise<Line[]> {
  const lines = await withoutBookedHere(tx, all)
  const byKey = new Map<string, Line>()
  for (const line of lines) {
    const key = keyOf(receiptOf(line))
    if (!byKey.has(key)) byKey.set(key, line)
  }
  const inOrder = [...byKey.values()].sort(compareLines)
  const taken = new Set((await claimReceipts(tx, inOrder.map(receiptOf))).map(keyOf))
  return taken.size === 0 ? inOrder : inOrder.filter((line) => !taken.has(keyOf(receiptOf(line))))
}

const keyOf = ({ customerNumber, id }: ReturnType<typeof receiptOf>) => `${customerNumber} ${id}`

/** Sessions that the portal has metered or split itself have no receipt for each of their rows. */
async function withoutBookedHere(tx: Transaction<DB>, lines: readonly Line[]): Promise<readonly Line[]> {
  const doubtful = lines.filter(
    ({ customerNumber, sent }) => sent.part !== undefined || canBeSessionOf(customerNumber, sent.id),
  )
  const booked = new Set<string>()
  for (const [customerNumber, ofAccount] of Map.groupBy(doubtful, (line) => line.customerNumber)) {
    const ids = ofAccount.map(({ sent }) => sent.id)
    for (const id of await findBookedHere(tx, customerNumber, ids)) booked.add(keyOf({ customerNumber, id }))
  }
  return booked.size === 0
    ? lines
    : lines.filter(({ customerNumber, sent: { id } }) => !booked.has(keyOf({ customerNumber, id })))
}

/** Every part of a split transaction is claimed by itself. */
const receiptOf = ({ customerNumber, sent: { id, part } }: Line) => ({
  customerNumber,
  id: part === undefined ? id : partReceipt(id, part),
})

const compareLines = (one: Line, other: Line) =>
  compareText(one.customerNumber, other.customerNumber) ||
  one.endedAt.getTime() - other.endedAt.getTime() ||
  one.startedAt.getTime() - other.startedAt.getTime() ||
  compareText(one.sent.id, other.sent.id)

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function drawOn(
  account: Account,
  rates: Rates | undefined,
  { sent, startedAt, endedAt }: Line,
  isHistory: boolean,
): Booked | Refusal {
  const { balances, pastTerms } = account
  const isGiven = sent.activationId !== undefined && sent.charge !== undefined
  if (!account.isExportApproved && !(isHistory && isGiven)) return refusal('EXPORT', SESSION_REFUSALS.EXPORT)
  if (sent.activationId !== undefined && sent.charge !== undefined) {
    const open = balances.find(sent.activationId)
    const given = open ?? pastTerms.get(sent.activationId)
    if (!given) return refusal('NO_SUCH_ACTIVATION', 'The account has no elastic entitlement with this activation id.')
    const draw = { activationId: sent.activationId, charge: formatHundredths(toHundredths(sent.charge)) }
    if (open) balances.subtract(draw)
    return { draws: [draw], currency: given.currency, rateTableVersion: given.rateTableVersion }
  }
  if (!rates) return refusal('UNKNOWN_PRODUCT', SESSION_REFUSALS.UNKNOWN_PRODUCT)
  const day = account.dayOf(startedAt)
  const beginning = balances.beginningOn(day, rates.unitsPerHour)
  if (beginning === 'UNKNOWN_PRODUCT') return refusal(beginning, SESSION_REFUSALS.UNKNOWN_PRODUCT)
  if (beginning === 'NO_BALANCE')
    return refusal(beginning, 'No elastic entitlement was valid when the session started.')
  const { entitlement, unitsPerHour } = beginning
  const charge = sessionCharge({ startedAt, endedAt, productCount: sent.productCount, unitsPerHour })
  if (toHundredths(charge) > LARGEST_CHARGE)
    return refusal('INVALID_TRANSACTION', 'The charge is larger than 999,999,999,999.99 elastic units.')
  const { currency, rateTableVersion } = entitlement
  return { draws: balances.draw(charge, day, entitlement), currency, rateTableVersion }
}

function rowsOf(line: Line, { draws, currency, rateTableVersion }: Booked, rates: Rates | undefined, now: Date) {
  const { sent, customerNumber, startedAt, endedAt } = line
  const row = {
    customer_number: customerNumber,
    server_id: sent.serverId,
    session_id: sent.id,
    session_status: sent.status ?? 'Completed',
    started_at: startedAt,
    ends_at: endedAt,
    product: sent.product,
    product_version: sent.version ?? '',
    product_count: sent.productCount,
    feature: sent.feature ?? rates?.feature ?? '',
    feature_count: sent.featureCount ?? sent.productCount,
    user_name: sent.username,
    host: sent.host,
    project: sent.project || null,
    ...detailsOf(sent),
    rate_table_version: rateTableVersion,
    currency,
    arrived_at: now,
    ...(sent.part === undefined ? {} : { continues: true }),
  }
  return draws.map(({ activationId, charge }, at) =>
    at === 0 ? { ...row, activation_id: activationId, charge } : continuationOf(row, activationId, charge),
  )
}

const startOfLastMonth = (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)

/** A running portal has the partitions around now; one for earlier usage may have to be created. */
async function requireMonths(tx: Transaction<DB>, lines: readonly Line[], before: number): Promise<void> {
  const early = lines.filter(({ endedAt }) => endedAt.getTime() < before).map(({ endedAt }) => endedAt)
  if (early.length === 0) return
  const present = new Set(await listUsageMonths(tx))
  const months = new Set(early.map((endedAt): Month => endedAt.toISOString().slice(0, 7)))
  const missing = [...months].filter((month) => !present.has(month)).sort()
  if (missing.length > 0) throw new MissingPartitionError((db) => ensureEachMonth(db, missing))
}
