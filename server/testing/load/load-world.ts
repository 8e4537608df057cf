import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import { recordOperations } from '#contract/data/record-operations.ts'
import { ADMINISTRATOR, SERVICE_SCOPES, type StaffRole } from '#domain/access/roles.ts'
import { addDays, type CalendarDay, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import type { World } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { loadUsage } from '#server/demo/load-usage.ts'
import { CURRENT_RATES, catalog } from '#server/demo/parts/catalog.demo.ts'
import { ELASTIC_UNITS, productNamed, SIMULATION_PRODUCTS, SPENDING_ACCOUNT } from '#server/demo/products.ts'
import { type Random, seededRandom } from '#server/demo/random.ts'
import { usageNames } from '#server/demo/usage-names.ts'
import { type UsageBatch, usageBatches } from '#server/demo/usage-sessions.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { insertServiceKey } from '#server/identity/service-keys.queries.ts'
import { createServiceKey } from '#server/identity/service-keys.ts'
import { savePin } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { PortalClient } from '#server/testing/load/portal-client.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const HOUR = 3_600_000
export const PEOPLE_PER_ACCOUNT = 4
export const PIN = '482913'
export const WEB_PRODUCT = productNamed('Optical Ray Studio')
export const ELASTIC_PRODUCTS = SIMULATION_PRODUCTS.filter(({ rate }) => rate !== undefined)
/** Enough that no run uses it up. */
const MUCH = 1_000_000_000
const MAX_RECORDS = 1_000

export type LoadAccount = {
  readonly customerNumber: string
  readonly people: readonly string[]
  readonly elasticServer: string
  readonly fsaId: string
}

export const accountAt = (at: number): LoadAccount => {
  const customerNumber = String(700_001 + at)
  return {
    customerNumber,
    people: Array.from(
      { length: PEOPLE_PER_ACCOUNT },
      (_, person) => `person-${person}@load-${customerNumber}.example`,
    ),
    elasticServer: `els-load-${customerNumber}`,
    fsaId: `FSA-${customerNumber}`,
  }
}

/** What the `person`-th person of an account activates, on a license server of their own: nobody waits for somebody else. */
export const seatsOf = ({ customerNumber }: LoadAccount, person: number) => ({
  activationId: `load-${customerNumber}-p${person}`,
  server: {
    serverName: `lic-load-${person}`,
    serverId: `02${Number(customerNumber).toString(16).padStart(9, '0')}${person}`,
    serverIdType: 'ETHERNET' as const,
  },
})

/** A key with every scope, and its header. */
export async function giveLoadKey(db: Kysely<DB>, name: string): Promise<Record<string, string>> {
  const { id, key, secretHash } = createServiceKey()
  const now = Date.now()
  const about = { id, name, scopes: SERVICE_SCOPES, secretHash, createdBy: 'load' }
  await db
    .transaction()
    .execute((tx) => insertServiceKey(tx, { ...about, createdAt: new Date(now), expiresAt: new Date(now + 24 * HOUR) }))
  return { authorization: `Bearer ${key}` }
}

/** Signs people in without the identity provider; the cookie of each. */
export async function signInPeople(
  db: Kysely<DB>,
  people: readonly { readonly email: string; readonly roles?: readonly StaffRole[] }[],
): Promise<string[]> {
  const now = new Date()
  const ids = people.map(() => randomBytes(32).toString('base64url'))
  await db
    .insertInto('session')
    .values(
      people.map(({ email, roles = [] }, at) => ({
        id_hash: hashOfId(ids[at] ?? ''),
        email,
        claim_roles: [...roles],
        created_at: now,
        last_seen_at: now,
        expires_at: new Date(now.getTime() + 12 * HOUR),
      })),
    )
    .execute()
  return ids.map((id) => `session=${id}`)
}

export const loadCatalog = (db: Kysely<DB>) => db.transaction().execute((tx) => catalog.load(tx, {} as World))

type Sizes = {
  readonly accounts: number
  /** For each account. */
  readonly leases: number
  readonly hosts: number
  readonly usage: number
}

/**
 * Accounts with people, licenses, license servers, an elastic server and a spending account, sent to a portal as the vendor's
 * own systems would; web users and usage, of which there is most, are loaded in bulk. The catalog is there already.
 */
export async function fillWorld(db: Kysely<DB>, origin: string, sizes: Sizes): Promise<LoadAccount[]> {
  const today = dayIn('UTC', new Date())
  const random = seededRandom('load')
  const accounts = Array.from({ length: sizes.accounts }, (_, at) => accountAt(at))
  const vendor = new PortalClient(origin, await giveLoadKey(db, 'load: vendor'))
  const save = (kind: RecordKindName, records: readonly object[]) => saveRecords(vendor, kind, records)
  await save(
    'accounts',
    accounts.map(({ customerNumber }) => ({ customerNumber, name: `Load ${customerNumber}`, orgType: 'Direct' })),
  )
  await save(
    'contacts',
    accounts.flatMap(({ customerNumber, people }) =>
      people.map((email) => ({ customerNumber, email, role: ADMINISTRATOR })),
    ),
  )
  await save(
    'elastic-servers',
    accounts.map(({ customerNumber, elasticServer }) => ({
      serverId: elasticServer,
      customerNumber,
      alias: `Elastic ${customerNumber}`,
    })),
  )
  await save(
    'fsa-contracts',
    accounts.map(({ customerNumber, fsaId }) => ({
      activationId: `load-${customerNumber}-fsa`,
      customerNumber,
      partNumber: SPENDING_ACCOUNT.partNumber,
      fsaId,
      currency: 'USD',
      price: `${MUCH}.00`,
      startDate: addDays(today, -100),
      endDate: addDays(today, 600),
    })),
  )
  await save(
    'entitlements',
    accounts.flatMap((account) => entitlementsOf(account, today, sizes.leases, random)),
  )
  await save(
    'hosts',
    accounts.flatMap(({ customerNumber }) =>
      Array.from({ length: sizes.hosts }, (_, at) => ({
        customerNumber,
        hostIdType: 'ETHERNET',
        hostId: `03${Number(customerNumber).toString(16).padStart(8, '0')}${at.toString(16).padStart(2, '0')}`,
        hostName: `lic-${at}`,
      })),
    ),
  )
  await db.transaction().execute(async (tx) => {
    for (const { customerNumber, elasticServer } of accounts)
      await savePin(tx, UNWRAPPED, { customerNumber, deviceId: elasticServer }, PIN, { email: 'load', at: new Date() })
  })
  await db.transaction().execute(async (tx) => {
    await insertWebUsers(tx, accounts)
    await loadUsage(tx, usageBefore(accounts, sizes.usage, today, random))
  })
  vendor.close()
  return accounts
}

/** A finished transaction that ended within the given time. */
export function usageOf({ elasticServer }: LoadAccount, id: string, random: Random, within: number) {
  const ended = Date.now() - random.fraction() * within
  const person = Math.floor(random.fraction() * 30)
  return {
    id: `${elasticServer}-${id}`,
    serverId: elasticServer,
    product: random.pick(ELASTIC_PRODUCTS).name,
    productCount: 1 + Math.floor(random.fraction() * 3),
    username: `user-${person}`,
    host: `ws-${person}`,
    startTime: new Date(ended - random.fraction() * 8 * HOUR).toISOString(),
    endTime: new Date(ended).toISOString(),
    project: `project-${Math.floor(random.fraction() * 8)}`,
    version: '2026 R1',
  }
}

function entitlementsOf({ customerNumber, people }: LoadAccount, today: CalendarDay, leases: number, random: Random) {
  const entitlement = (id: string, more: object) => ({
    activationId: `load-${customerNumber}-${id}`,
    customerNumber,
    entitlementId: `ENT-${customerNumber}-${id}`,
    startDate: addDays(today, -100),
    endDate: addDays(today, 500),
    ...more,
  })
  const network = SIMULATION_PRODUCTS.filter(({ isNodeLocked }) => !isNodeLocked)
  return [
    ...Array.from({ length: leases }, (_, at) =>
      entitlement(`l${at}`, {
        partNumber: random.pick(network).partNumber,
        licenseModel: 'Network',
        quantity: 5 + Math.floor(random.fraction() * 20),
        startDate: addDays(today, -20 - Math.floor(random.fraction() * 400)),
        endDate: addDays(today, -15 + Math.floor(random.fraction() * 400)),
      }),
    ),
    ...people.map((_, person) =>
      entitlement(`p${person}`, { partNumber: network[person]?.partNumber, licenseModel: 'Network', quantity: MUCH }),
    ),
    entitlement('elastic', {
      partNumber: ELASTIC_UNITS.partNumber,
      licenseModel: 'Elastic-AEU',
      quantity: 1_000,
      unitsPerLine: '1000000.00',
      rateTableVersion: CURRENT_RATES,
      currency: 'AEU',
    }),
    entitlement('web', { partNumber: WEB_PRODUCT.partNumber, licenseModel: 'Shared Web', quantity: MUCH }),
  ]
}

/** Every person of an account is a web user of it, too. */
async function insertWebUsers(tx: Transaction<DB>, accounts: readonly LoadAccount[]): Promise<void> {
  const now = new Date()
  const users = accounts.flatMap(({ customerNumber, people }) =>
    people.map((email) => ({ customer_number: customerNumber, email })),
  )
  const seats = users.map((user) => ({ ...user, activation_id: `load-${user.customer_number}-web` }))
  const by = 'load'
  await insertRows(
    tx,
    'web_user',
    users.map((user) => ({ ...user, name: user.email, added_at: now, added_by: by })),
  )
  await insertRows(
    tx,
    'web_user_assignment',
    seats.map((seat) => ({ ...seat, assigned_at: now, assigned_by: by })),
  )
  await insertRows(
    tx,
    'web_seat',
    seats.map((seat) => ({ ...seat, since: now })),
  )
}

/** Usage of the last 60 days. */
function* usageBefore(
  accounts: readonly LoadAccount[],
  sessions: number,
  today: CalendarDay,
  random: Random,
): Generator<UsageBatch> {
  const to = startOfDay('UTC', today)
  const from = startOfDay('UTC', addDays(today, -60))
  for (const { customerNumber, elasticServer } of accounts) {
    const plan = {
      customerNumber,
      serverId: elasticServer,
      activationId: `load-${customerNumber}-elastic`,
      currency: 'AEU',
      rateTableVersion: CURRENT_RATES,
      rateFactor: 1,
      from,
      to,
      sessions,
      cents: sessions * 1_300,
      names: usageNames(customerNumber, 30, random),
      inCloud: 0.12,
    }
    yield* usageBatches(plan, random)
  }
}

async function saveRecords(vendor: PortalClient, name: RecordKindName, records: readonly object[]): Promise<void> {
  const kind = RECORD_KINDS.find((one) => one.name === name)
  if (!kind) throw new Error(`there are no ${name}`)
  const { save } = recordOperations(kind)
  for (let at = 0; at < records.length; at += MAX_RECORDS) {
    const { data } = await vendor.ask(save, { body: { records: records.slice(at, at + MAX_RECORDS) } })
    const refused = (data as { status: string; id: string; err?: string }[]).find(({ status }) => status !== 'SUCCESS')
    if (refused) throw new Error(`${name} ${refused.id} was refused: ${refused.err}`)
  }
}
