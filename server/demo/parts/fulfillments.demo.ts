import type { Insertable, Selectable } from 'kysely'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'
import { type LicenseModelGroup, licenseModelGroup } from '#domain/entitlements/license-model.ts'
import type { DB } from '#server/db/schema.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import {
  DEMO_HOSTS,
  type DemoHost,
  DONGLE,
  hostRows,
  MAIN_HOST,
  REPLACED,
  TRIAD,
  WORKSTATION,
} from '#server/demo/fulfillments-hosts.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'
import type { Random } from '#server/demo/random.ts'

const HOSTS_ADDED_DAYS_AGO = 800
/** Orders of spending accounts are left for people to activate. */
const ACTIVATED_GROUPS: readonly LicenseModelGroup[] = ['Network', 'Node Locked']

/** Hosts, and the seats that were activated on them and returned. */
export const fulfillments: DemoPart = {
  name: 'fulfillments',
  async load(tx, world) {
    const addedAt = new Date(world.midnight.getTime() - HOSTS_ADDED_DAYS_AGO * 86_400_000)
    for (const customerNumber of Object.keys(DEMO_HOSTS)) {
      await insertRows(tx, 'host', hostRows(customerNumber, addedAt))
      const timeZone = NAMED_ACCOUNTS.find((account) => account.customerNumber === customerNumber)?.timeZone ?? 'UTC'
      const bought = await tx
        .selectFrom('entitlement')
        .select(['activation_id', 'line_item_quantity', 'start_date', 'license_model', 'product_name'])
        .where('customer_number', '=', customerNumber)
        .where('state', '=', 'Deployed')
        .where('kind', '=', 'SSL')
        .where('line_item_quantity', '>', 0)
        .where('start_date', '<', world.today(timeZone))
        .orderBy('activation_id')
        .execute()
      const contacts = await tx
        .selectFrom('contact')
        .select('email')
        .where('customer_number', '=', customerNumber)
        .orderBy('email')
        .execute()
      const random = world.random(`fulfillments ${customerNumber}`)
      const people = contacts.map(({ email }) => email)
      const onHosts = bought.filter((one) =>
        ACTIVATED_GROUPS.includes(licenseModelGroup(one.license_model, one.product_name)),
      )
      await insertRows(
        tx,
        'fulfillment',
        ledgerRows({ customerNumber, midnight: world.midnight, people, random }, onHosts),
      )
    }
  },
}

export type Seats = Pick<Selectable<DB['entitlement']>, 'activation_id' | 'line_item_quantity' | 'start_date'>
type LedgerRow = Required<Insertable<DB['fulfillment']>>

const SECOND = 1000
const DAY = 86_400 * SECOND
const WORKDAY_STARTS = 7 * 3600
const WORKDAY_ENDS = 17 * 3600

/** Seats that do not depend on random numbers: what each entitlement of the showcase demonstrates. */
const SHOWCASE: readonly (readonly [purpose: string, ...on: (readonly [DemoHost, number])[]])[] = [
  ['active, more than 90 days left', [MAIN_HOST, 12], [TRIAD, 8], [DONGLE, 3]],
  ['active, 91 days left', [TRIAD, 10]],
  ['ends today', [MAIN_HOST, 2]],
  ['expired yesterday', [DONGLE, 5]],
  ['permanent, maintained', [TRIAD, 15]],
  ['permanent, maintenance ended', [MAIN_HOST, 4]],
  ['borrowable, permanent', [WORKSTATION, 1]],
  ['node-locked', [WORKSTATION, 2]],
  ['node-locked by its name', [WORKSTATION, 5]],
  ['thousands', [TRIAD, 1000]],
]

/** Purposes without seats, so that "none yet" occurs as well. */
const UNTOUCHED = ['active, one week left']

/** Moves from the replaced host: in one go, just within one group of the history, and just outside of it. */
const MOVED: readonly (readonly [purpose: string, seats: number, secondsLater: number])[] = [
  ['active, 90 days left', 6, 0],
  ['active, 31 days left', 4, 29],
  ['active, 30 days left', 5, 29 + 31],
]

type Drawing = {
  readonly customerNumber: string
  readonly midnight: Date
  readonly people: readonly string[]
  readonly random: Random
}

/** Changes of seats by an account's people, in order. */
function ledgerRows(drawing: Drawing, entitlements: readonly Seats[]): LedgerRow[] {
  const hosts = DEMO_HOSTS[drawing.customerNumber] ?? []
  const shown = new Set<string>()
  const rows = drawing.customerNumber === '100001' ? showcase(drawing, entitlements, shown) : []
  for (const host of hosts.filter(({ state, id }) => state === 'inactive' && id !== REPLACED.id)) {
    const entitlement = entitlements.find((one) => !shown.has(one.activation_id))
    if (!entitlement) throw new Error(`Nothing of ${drawing.customerNumber} can have been on ${host.name}`)
    shown.add(entitlement.activation_id)
    rows.push(...heldOnce(drawing, entitlement, host))
  }
  for (const entitlement of entitlements.filter((one) => !shown.has(one.activation_id)))
    rows.push(...drawn(drawing, entitlement, hosts))
  return rows.sort((one, other) => Number(one.fulfilled_at) - Number(other.fulfilled_at))
}

function showcase(drawing: Drawing, entitlements: readonly Seats[], shown: Set<string>): LedgerRow[] {
  const entitlementFor = (purpose: string) => {
    const id = activationId({ customerNumber: drawing.customerNumber, purpose })
    const found = entitlements.find((one) => one.activation_id === id)
    if (!found) throw new Error(`The demo entitlements have no '${purpose}'`)
    shown.add(id)
    return found
  }
  for (const purpose of UNTOUCHED) entitlementFor(purpose)
  const placed = SHOWCASE.flatMap(([purpose, ...on]) => {
    const entitlement = entitlementFor(purpose)
    return on.map(([host, seats]) => row(drawing, entitlement, host, seats, momentSince(drawing, entitlement)))
  })
  const morning = new Date(drawing.midnight.getTime() - 3 * DAY + WORKDAY_STARTS * SECOND)
  const moved = MOVED.flatMap(([purpose, seats, secondsLater]) => {
    const entitlement = entitlementFor(purpose)
    const at = new Date(morning.getTime() + secondsLater * SECOND)
    const activated = row(drawing, entitlement, REPLACED, seats, new Date(morning.getTime() - 30 * DAY))
    return [
      activated,
      returned(activated, at, 'REHOST'),
      { ...row(drawing, entitlement, MAIN_HOST, seats, new Date(at.getTime() + 1)), action: 'REHOST' as const },
    ]
  })
  return [...placed, ...moved]
}

/** None, some or all seats, on one host or two, now and then with some of them returned. */
function drawn(drawing: Drawing, entitlement: Seats, hosts: readonly DemoHost[]): LedgerRow[] {
  const { random } = drawing
  const active = hosts.filter(({ state }) => state === 'active')
  const share = random.weighted([
    ['none', 20],
    ['some', 50],
    ['all', 30],
  ])
  const quantity = entitlement.line_item_quantity
  const seats = share === 'none' ? 0 : share === 'all' ? quantity : random.integer(1, quantity)
  if (seats === 0 || active.length === 0) return []
  const first = random.integer(1, seats)
  const at = momentSince(drawing, entitlement)
  const rows = [row(drawing, entitlement, random.pick(active), first, at)]
  if (seats > first) rows.push(row(drawing, entitlement, random.pick(active), seats - first, at))
  const [activated] = rows
  if (activated && first > 1 && random.chance(0.2))
    rows.push(returned(activated, new Date(at.getTime() + 3600 * SECOND), 'EDIT', 1))
  return rows
}

/** Activated and returned: that makes a host inactive. */
function heldOnce(drawing: Drawing, entitlement: Seats, host: DemoHost): LedgerRow[] {
  const activated = row(drawing, entitlement, host, 1, momentSince(drawing, entitlement))
  return [activated, returned(activated, new Date(Number(activated.fulfilled_at) + 3600 * SECOND), 'DEACTIVATE')]
}

/** A time in working hours since the given day, never today: no entry may be in the future. */
function momentSince({ midnight, random }: Drawing, { start_date }: Seats): Date {
  const days = Math.max(1, Math.round((midnight.getTime() - midnightOf(start_date).getTime()) / DAY))
  const ago = random.integer(1, Math.min(days, 700))
  return new Date(midnight.getTime() - ago * DAY + random.integer(WORKDAY_STARTS, WORKDAY_ENDS) * SECOND)
}

function row(drawing: Drawing, entitlement: Seats, host: DemoHost, seats: number, at: Date): LedgerRow {
  const { customerNumber, random, people } = drawing
  return {
    customer_number: customerNumber,
    fulfillment_id: random.uuid(),
    parent_fulfillment_id: null,
    activation_id: entitlement.activation_id,
    host_id_type: host.type,
    host_id: host.id,
    fulfill_count: seats,
    action: 'EDIT',
    modified_by: random.chance(0.1) ? 'Automated Action' : random.pick(people),
    fulfilled_at: at,
  }
}

function returned(
  activated: LedgerRow,
  at: Date,
  action: FulfillmentAction,
  seats: number = activated.fulfill_count,
): LedgerRow {
  return {
    ...activated,
    fulfillment_id: activated.fulfillment_id.split('').reverse().join(''),
    parent_fulfillment_id: activated.fulfillment_id,
    fulfill_count: -seats,
    action,
    fulfilled_at: at,
  }
}
