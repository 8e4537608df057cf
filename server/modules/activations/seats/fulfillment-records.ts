import type { Kysely, Transaction } from 'kysely'
import { type FulfillmentRecord, fulfillmentRecords } from '#contract/data/fulfillments.ts'
import type { ReadPage, ReadQuestion, RowOutcome, SaveContext } from '#server/data/data-kind.ts'
import type { FileKind } from '#server/data/files/file-kind.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import {
  appendEntries,
  type EntryPosition,
  findEntries,
  findReturned,
  findSeatsOnHosts,
  type LedgerEntry,
  lockEntitledSeats,
  pageOfEntries,
} from '#server/modules/activations/seats/fulfillment-records.queries.ts'

/** The ledger of activations in files: entries are added, each once by its id, and never changed. */
export const fulfillmentData: FileKind<FulfillmentRecord> = { kind: fulfillmentRecords, save, read }

async function save(
  tx: Transaction<DB>,
  rows: readonly FulfillmentRecord[],
  { now }: SaveContext,
): Promise<RowOutcome[]> {
  const entries = rows.map(entryOf)
  const seats = await SeatRules.load(tx, entries, now)
  const outcomes = new Map<LedgerEntry, RowOutcome>()
  const refused = new Map<LedgerEntry, Refusal>()
  const added: LedgerEntry[] = []
  let open = entries
  // An entry may depend on a later one of the same instant: moved seats are returned and activated at once.
  for (let progress = true; progress; ) {
    progress = false
    const waiting: LedgerEntry[] = []
    for (const entry of open) {
      const verdict = seats.judge(entry)
      if (verdict === 'known') outcomes.set(entry, { key: fulfillmentRecords.keyOf(entry), result: 'unchanged' })
      else if (verdict === 'fits') {
        added.push(entry)
        outcomes.set(entry, { key: fulfillmentRecords.keyOf(entry), result: 'created' })
        progress = true
      } else {
        refused.set(entry, verdict)
        waiting.push(entry)
      }
    }
    open = waiting
  }
  if (added.length > 0) await appendEntries(tx, added)
  return entries.map((entry) => {
    const key = fulfillmentRecords.keyOf(entry)
    return outcomes.get(entry) ?? { key, result: 'refused', ...(refused.get(entry) as Refusal) }
  })
}

function entryOf(row: FulfillmentRecord): LedgerEntry {
  return {
    ...row,
    parentFulfillmentId: row.parentFulfillmentId ?? null,
    action: row.action ?? 'EDIT',
    modifiedBy: row.modifiedBy ?? 'Automated Action',
  }
}

/** The state of the ledger for the given entries. The database has the same rules as constraints. */
class SeatRules {
  readonly #known: Map<string, LedgerEntry>
  readonly #available = new Map<string, number>()
  readonly #notActivatable = new Set<string>()
  readonly #onHosts = new Map<string, number>()
  /** Seats that were returned, by the key of their activation. */
  readonly #returned = new Map<string, number>()

  readonly #now: Date

  private constructor(known: Map<string, LedgerEntry>, now: Date) {
    this.#known = known
    this.#now = now
  }

  static async load(tx: Transaction<DB>, entries: readonly LedgerEntry[], now: Date): Promise<SeatRules> {
    const entitled = await lockEntitledSeats(tx, entries)
    const parents = entries.flatMap(({ customerNumber, parentFulfillmentId }) =>
      parentFulfillmentId === null ? [] : [{ customerNumber, fulfillmentId: parentFulfillmentId }],
    )
    const found = await findEntries(tx, [...entries, ...parents])
    const rules = new SeatRules(new Map(found.map((entry) => [fulfillmentRecords.keyOf(entry), entry])), now)
    for (const one of entitled) {
      rules.#available.set(entitlementOf(one), one.available)
      if (!one.isActivatable) rules.#notActivatable.add(entitlementOf(one))
    }
    for (const one of parents.length > 0 ? await findReturned(tx, parents) : [])
      rules.#returned.set(fulfillmentRecords.keyOf(one), one.returned)
    for (const one of await findSeatsOnHosts(tx, entries)) rules.#onHosts.set(placeOf(one), one.seats)
    return rules
  }

  judge(entry: LedgerEntry): 'fits' | 'known' | Refusal {
    const key = fulfillmentRecords.keyOf(entry)
    const known = this.#known.get(key)
    if (known) return isSame(known, entry) ? 'known' : CHANGED
    const available = this.#available.get(entitlementOf(entry))
    const held = this.#onHosts.get(placeOf(entry))
    if (available === undefined)
      return refusal('NO_SUCH_ACTIVATION', 'The account has no entitlement with this activation id.')
    if (this.#notActivatable.has(entitlementOf(entry))) return NOT_ACTIVATABLE
    if (new Date(entry.fulfilledAt).getTime() > this.#now.getTime() + AHEAD)
      return refusal('INVALID_RECORD', 'fulfilledAt is in the future.')
    if (held === undefined) return refusal('NO_SUCH_HOST', 'The account has no host with this id.')
    const refused = refusalOf(entry, available, held) ?? this.#parentRefusal(entry)
    if (refused) return refused
    this.#available.set(entitlementOf(entry), available - entry.count)
    this.#onHosts.set(placeOf(entry), held + entry.count)
    this.#known.set(key, entry)
    const parent = parentOf(entry)
    if (parent !== undefined) this.#returned.set(parent, (this.#returned.get(parent) ?? 0) - entry.count)
    return 'fits'
  }

  #parentRefusal(entry: LedgerEntry): Refusal | undefined {
    const key = parentOf(entry)
    if (key === undefined) return undefined
    const parent = this.#known.get(key)
    if (!parent || placeOf(parent) !== placeOf(entry) || parent.count < 0)
      return refusal('NO_SUCH_FULFILLMENT', 'The parent is no activation of this entitlement on this host.')
    if (new Date(entry.fulfilledAt).getTime() < new Date(parent.fulfilledAt).getTime() - AHEAD)
      return refusal('INVALID_RECORD', 'fulfilledAt is before the activation that it takes back.')
    const left = parent.count - (this.#returned.get(key) ?? 0)
    return left + entry.count < 0
      ? refusal('NOT_HELD', `Only ${left} of the ${parent.count} seats of the parent are left to return.`)
      : undefined
  }
}

const parentOf = ({ customerNumber, parentFulfillmentId }: LedgerEntry): string | undefined =>
  parentFulfillmentId === null
    ? undefined
    : fulfillmentRecords.keyOf({ customerNumber, fulfillmentId: parentFulfillmentId })

/** Clocks differ a little. In milliseconds. */
const AHEAD = 5 * 60_000

const NOT_ACTIVATABLE = refusal(
  'NOT_ACTIVATABLE',
  'Only Network and Node Locked entitlements are activated on hosts: no elastic units, web licenses or spending accounts.',
)

const CHANGED = refusal('CONFLICT', 'The ledger has another entry with this id. Entries are never changed.')

function refusalOf({ count, parentFulfillmentId }: LedgerEntry, available: number, held: number): Refusal | undefined {
  if (count === 0) return refusal('INVALID_RECORD', 'count must not be 0.')
  if (parentFulfillmentId !== null && count > 0)
    return refusal('INVALID_RECORD', 'Only a return, with a negative count, has a parent.')
  if (count > available) return refusal('SEAT_GONE', `Only ${available} seats of the entitlement are available.`)
  if (held + count < 0) return refusal('NOT_HELD', `The host holds only ${held} seats of the entitlement.`)
  return undefined
}

type Entitlement = Pick<LedgerEntry, 'customerNumber' | 'activationId'>
const entitlementOf = ({ customerNumber, activationId }: Entitlement) => `${customerNumber} ${activationId}`
const placeOf = (entry: Entitlement & Pick<LedgerEntry, 'hostIdType' | 'hostId'>) =>
  `${entitlementOf(entry)} ${entry.hostIdType} ${entry.hostId}`

function isSame(one: LedgerEntry, other: LedgerEntry): boolean {
  const { fulfilledAt: oneTime, ...oneRest } = one
  const { fulfilledAt: otherTime, ...otherRest } = other
  const fields = Object.keys(oneRest) as (keyof typeof oneRest)[]
  // Files may have other time zones; stored times have microseconds, of which a Date keeps milliseconds.
  return (
    new Date(oneTime).getTime() === new Date(otherTime).getTime() &&
    fields.every((field) => oneRest[field] === otherRest[field])
  )
}

async function read(db: Kysely<DB>, { after, limit }: ReadQuestion): Promise<ReadPage<FulfillmentRecord>> {
  const entries = await pageOfEntries(db, after === undefined ? undefined : (JSON.parse(after) as EntryPosition), limit)
  const rows = entries.map(({ parentFulfillmentId, ...entry }) => ({
    ...entry,
    ...(parentFulfillmentId === null ? {} : { parentFulfillmentId }),
    changedAt: entry.fulfilledAt,
  }))
  const last = entries.at(-1)
  if (!last || entries.length < limit) return { rows }
  const { customerNumber, fulfilledAt, count, fulfillmentId } = last
  return { rows, next: JSON.stringify({ customerNumber, fulfilledAt, count, fulfillmentId }) }
}
