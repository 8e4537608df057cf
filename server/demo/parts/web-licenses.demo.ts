import type { Insertable } from 'kysely'
import { formatSessionId } from '#domain/elastic/sessions/session-life.ts'
import { type CheckoutEntitlement, type CheckoutRefusal, chooseEntitlement } from '#domain/web-licenses/checkout.ts'
import { groupKey } from '#domain/web-licenses/web-user.ts'
import type { DB } from '#server/db/schema.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import type { Random } from '#server/demo/random.ts'

const CUSTOMER = '100001'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Number of days with checkouts and denials. */
const DAYS = 56
const BY = 'ada.admin@aerodyne.example'

const FIRST = 'Anna Ben Chloé Dmitri Elif Farah Georg Hana Iván José Kim Lena Mei Nils'.split(' ')
const LAST = ['Adler', 'Brandt', 'Costa', 'Dubois', 'Eriksen', 'Fischer', 'Gupta', 'Hansen', 'Ito', 'Jansen', 'Müller']
const USERS = Array.from({ length: 42 }, (_, at) => {
  const name = `${FIRST[at % FIRST.length]} ${LAST[(at + 3 * Math.floor(at / FIRST.length)) % LAST.length]}`
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return { name, email: `${plain.replace(' ', '.')}@aerodyne.example` }
})

/** Members by their index among the users, the end excluded. */
const GROUPS = [
  { name: 'Design', from: 0, to: 12 },
  { name: 'Simulation', from: 8, to: 30 },
  { name: 'Optics', from: 28, to: 37 },
  { name: 'Testing & Validation', from: 36, to: 42 },
  { name: 'Interns', from: 0, to: 0 },
] as const

/** Web entitlements of the account by their purpose, with their groups and further users. */
const ASSIGNED: readonly { purpose: string; groups: readonly string[]; from: number; to: number }[] = [
  { purpose: 'model Shared Web', groups: ['Design', 'Simulation'], from: 0, to: 0 },
  { purpose: 'model ConcurrentProduct', groups: ['Testing & Validation'], from: 2, to: 20 },
  { purpose: 'model Named User', groups: ['Optics'], from: 0, to: 5 },
  { purpose: 'named user, about to end', groups: [], from: 5, to: 10 },
  { purpose: 'shared web, expired', groups: ['Simulation'], from: 0, to: 0 },
]

/** Users, groups and assignments of the web licenses of one account, and what was checked out and denied in eight weeks. */
export const webLicenses: DemoPart = {
  name: 'web licenses',
  async load(tx, world) {
    const random = world.random('web licenses')
    const since = new Date(world.midnight.getTime() - (DAYS + 30) * DAY)
    const ids = ASSIGNED.map(({ purpose }) => activationId({ customerNumber: CUSTOMER, purpose }))
    const sold = await tx
      .selectFrom('entitlement')
      .select(['activation_id', 'product_name', 'kind', 'line_item_quantity', 'start_date', 'end_date'])
      .where('customer_number', '=', CUSTOMER)
      .where('activation_id', 'in', ids)
      .execute()
    const groups = GROUPS.map(({ name, from, to }) => ({
      id: random.uuid(),
      name: name as string,
      members: USERS.slice(from, to).map(({ email }) => email),
    }))
    const own = { customer_number: CUSTOMER }
    await insertRows(
      tx,
      'web_user',
      USERS.map((user) => ({ ...own, ...user, added_at: since, added_by: BY })),
    )
    await insertRows(
      tx,
      'web_group',
      groups.map(({ id, name }) => {
        return { ...own, group_id: id, name, name_key: groupKey(name), created_at: since, created_by: BY }
      }),
    )
    await insertRows(
      tx,
      'web_group_member',
      groups.flatMap(({ id, members }) => members.map((email) => ({ ...own, group_id: id, email }))),
    )
    const entitlements: DemoEntitlement[] = []
    const assigned = { assigned_at: since, assigned_by: BY }
    for (const [at, one] of ASSIGNED.entries()) {
      const row = sold.find(({ activation_id }) => activation_id === ids[at])
      if (!row) continue
      const { activation_id } = row
      const groupsOf = groups.filter(({ name }) => one.groups.includes(name))
      const direct = USERS.slice(one.from, one.to).map(({ email }) => email)
      const users = [...new Set([...direct, ...groupsOf.flatMap(({ members }) => members)])]
      await insertRows(
        tx,
        'web_user_assignment',
        direct.map((email) => ({ ...own, activation_id, email, ...assigned })),
      )
      await insertRows(
        tx,
        'web_group_assignment',
        groupsOf.map(({ id }) => ({ ...own, activation_id, group_id: id, ...assigned })),
      )
      await insertRows(
        tx,
        'web_seat',
        users.map((email) => ({ ...own, activation_id, email, since })),
      )
      entitlements.push({
        activationId: activation_id,
        product: row.product_name,
        kind: row.kind === 'SUBSCRIPTION' ? 'SUBSCRIPTION' : 'CONCURRENT',
        quantity: row.line_item_quantity,
        term: { startDate: row.start_date, endDate: row.end_date },
        users,
      })
    }
    const { checkouts, denials } = useOf(entitlements, world.midnight, random)
    await insertRows(tx, 'web_checkout', checkouts)
    await insertRows(tx, 'web_denial', denials)
  },
}

type DemoEntitlement = Omit<CheckoutEntitlement, 'isAssigned' | 'running'> & {
  readonly product: string
  readonly users: readonly string[]
}
type Checkout = Insertable<DB['web_checkout']>
type Denial = Insertable<DB['web_denial']>

/** Checkouts that the portal would have allowed, and its denials. */
function useOf(entitlements: readonly DemoEntitlement[], midnight: Date, random: Random) {
  const checkouts: Checkout[] = []
  const denials: Denial[] = []
  const everybody = USERS.map(({ email }) => email)
  for (const entitlement of entitlements) {
    let running: number[] = []
    // Shared seats are sometimes all in use, so that there is something to report.
    const perSeat = entitlement.kind === 'CONCURRENT' ? 2.2 : 1.4
    for (let ago = DAYS; ago > 0; ago--) {
      const day = new Date(midnight.getTime() - ago * DAY)
      const isWeekend = [0, 6].includes(day.getUTCDay())
      const busy = (isWeekend ? 0.15 : 1) * (0.6 + 1.9 * random.fraction())
      const attempts = Array.from({ length: Math.ceil(entitlement.quantity * perSeat * busy) }, () => {
        return day.getTime() + Math.round((6 + 12 * random.fraction()) * HOUR)
      }).sort((one, other) => one - other)
      for (const at of attempts) {
        running = running.filter((end) => end > at)
        const isStranger = random.chance(0.02)
        const email = random.pick(isStranger ? everybody : entitlement.users)
        const host = `ws001-${String(everybody.indexOf(email) + 1).padStart(3, '0')}`
        const common = { host, product_version: random.pick(['2025 R2', '2026 R1']), external_ip: '203.0.113.24' }
        const choice = chooseEntitlement(
          [{ ...entitlement, isAssigned: entitlement.users.includes(email), running: running.length }],
          new Date(at).toISOString().slice(0, 10),
        )
        if ('refusal' in choice) {
          // Users stop trying once the entitlement has expired.
          if (choice.refusal === 'ENTITLEMENT_EXPIRED' && !random.chance(0.05)) continue
          denials.push(denialOf(choice.refusal, entitlement.product, email, at, common))
          continue
        }
        const isOver = random.chance(0.95)
        const length = isOver ? (0.1 + 3.9 * random.fraction() ** 1.5) * HOUR : 15 * MINUTE
        const end = at + Math.round(length)
        running.push(end)
        checkouts.push({
          ...common,
          ...checkoutOf(entitlement, email, random),
          status: isOver ? 'Completed' : 'Timed out',
          started_at: new Date(at),
          last_heartbeat_at: new Date(isOver ? end - 2 * MINUTE : at),
          ends_at: new Date(end),
        })
      }
    }
    const isValid = entitlement.term.endDate === null || entitlement.term.endDate >= midnight.toISOString().slice(0, 10)
    for (const email of isValid ? random.shuffled(entitlement.users).slice(0, 3) : [])
      checkouts.push({
        ...checkoutOf(entitlement, email, random),
        host: `ws001-${String(everybody.indexOf(email) + 1).padStart(3, '0')}`,
        product_version: '2026 R1',
        external_ip: '203.0.113.24',
        started_at: new Date(midnight.getTime() - random.integer(5, 50) * MINUTE),
        // Nobody sends heartbeats in the demo: a heartbeat in the future keeps these checkouts running.
        last_heartbeat_at: new Date(midnight.getTime() + 1000 * DAY),
      })
  }
  denials.push(denialOf('UNKNOWN_PRODUCT', 'Mission Toolkit', everybody[3] ?? '', midnight.getTime() - 3 * DAY, HOST))
  return {
    checkouts: checkouts.map((one) => ({ status: 'Active' as const, ends_at: 'infinity' as const, ...one })),
    denials,
  }
}

const HOST = { host: 'ws001-004', product_version: '2026 R1', external_ip: '203.0.113.24' }

const checkoutOf = ({ activationId: id, product, kind }: DemoEntitlement, email: string, random: Random) => ({
  customer_number: CUSTOMER,
  checkout_id: formatSessionId(CUSTOMER, random.uuid()),
  activation_id: id,
  product,
  kind,
  email,
})

const denialOf = (
  reason: CheckoutRefusal,
  product: string,
  email: string,
  at: number,
  common: typeof HOST,
): Denial => ({
  customer_number: CUSTOMER,
  denied_at: new Date(at),
  reason,
  product,
  email,
  ...common,
})
