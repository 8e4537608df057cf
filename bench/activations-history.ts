import { medianTimes, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { openPortal } from '#bench/kit/open-portal.ts'
import {
  exportServers,
  getHistory,
  hostHistoryList,
  hostTimeline,
  MAX_ENTRIES,
} from '#contract/activations/history/history.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { entitlementRow, lease } from '#server/demo/entitlement-row.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { catalog } from '#server/demo/parts/catalog.demo.ts'
import { productNamed } from '#server/demo/products.ts'
import { systemClock } from '#server/doors/clock.ts'
import type { Installation } from '#server/installation.ts'
import { fetchPage } from '#server/lists/list-page.ts'
import { fetchCount } from '#server/lists/list-totals.ts'
import { loadHistory } from '#server/modules/activations/history/history.queries.ts'
import { hostHistorySource } from '#server/modules/activations/history/host-history.list.ts'
import { claimActivationIds } from '#server/modules/entitlements/entitlements.public.ts'

/*
 * An account with 2,000 hosts, 100 of them inactive, and 200,000 ledger entries, 10,000 of them on one host. Each call of the
 * screen as a whole request, against plain SQL sent by the driver: no session, no rights, no validation, no groups.
 */
const CUSTOMER = '300003'
const HOSTS = 2000
const INACTIVE = 100
const ENTITLEMENTS = 500
const ENTRIES = 200_000

const { ask, close, pool, post, statementOf } = await openPortal('.data-bench-history', fill)
const scope = {
  customerNumber: CUSTOMER,
  state: 'Active' as const,
  history: null,
  timeZone: 'UTC',
  today: dayIn('UTC', systemClock.now()),
  isSharing: false,
}
const whose = { customerNumber: CUSTOMER, state: 'Active' as const }
const busiest = { host_id_type: 'ETHERNET' as const, host_id: hostId(1) }
const wire = { hostId: hostId(1), hostIdType: 'ETHERNET' }
const byPerson = { condition: 'ALL', criteria: [{ name: 'modifiedby', method: 'CONTAINS', value: 'person-7@' }] }
const tables = ['Active', 'Inactive'] as const

const openingFloor = await Promise.all(
  tables.flatMap((state) => [
    statementOf((watched) => fetchPage(watched, hostHistorySource, { ...scope, state }, {})),
    statementOf((watched) => fetchCount(watched, hostHistorySource, { ...scope, state }, {})),
  ]),
)
const allEntries = () =>
  pool.query(
    `select h.host_name, f.*, e.product_name, e.start_date, e.end_date
       from fulfillment f join host h using (customer_number, host_id_type, host_id)
       join entitlement e using (customer_number, activation_id)
      where f.customer_number = $1 order by h.host_name, f.fulfilled_at`,
    [CUSTOMER],
  )

const calls = [
  {
    name: 'opening: page and count of both tables, at the same time',
    target: 1000,
    call: () =>
      Promise.all(
        tables.flatMap((state) => [
          post(hostHistoryList.page, { ...whose, state, limit: 100 }),
          post(hostHistoryList.count, { ...whose, state }),
        ]),
      ),
    floor: () => Promise.all(openingFloor.map((statement) => statement())),
  },
  {
    name: 'hosts that one person has changed, of all entries',
    target: 1000,
    call: () => post(hostHistoryList.page, { ...whose, history: byPerson, limit: 100 }),
    floor: () =>
      pool.query(
        `select distinct host_id_type, host_id from fulfillment where customer_number = $1 and modified_by like '%person-7@%'`,
        [CUSTOMER],
      ),
  },
  {
    name: 'history of a host with 10,000 entries',
    target: 500,
    call: () => post(getHistory, { customerNumber: CUSTOMER, hosts: [wire] }),
    floor: await statementOf((watched) => loadHistory(watched, CUSTOMER, [busiest], undefined, MAX_ENTRIES + 1)),
  },
  {
    name: 'its timeline',
    target: 500,
    call: () => post(hostTimeline, { customerNumber: CUSTOMER, ...wire }),
    floor: await statementOf((watched) => loadHistory(watched, CUSTOMER, [busiest], undefined, MAX_ENTRIES + 1)),
  },
  {
    name: 'five usual hosts',
    target: 500,
    call: () =>
      post(getHistory, {
        customerNumber: CUSTOMER,
        hosts: [2, 3, 4, 5, 6].map((n) => ({ hostId: hostId(n), hostIdType: 'ETHERNET' })),
      }),
    floor: await statementOf((watched) =>
      loadHistory(
        watched,
        CUSTOMER,
        [2, 3, 4, 5, 6].map((n) => ({ ...busiest, host_id: hostId(n) })),
        undefined,
        MAX_ENTRIES + 1,
      ),
    ),
  },
  {
    name: 'CSV of all 200,000 entries',
    target: 15_000,
    call: () => ask(exportServers, { customerNumber: CUSTOMER }),
    floor: allEntries,
  },
]
const rows: string[][] = []
for (const { name, target, call, floor } of calls) {
  const [ours, bare] = await medianTimes([call, floor], target > 5000 ? 3 : 11)
  rows.push([
    name,
    milliseconds(ours),
    milliseconds(bare),
    ratio(ours / bare),
    `${target} ms: ${verdict(ours < target)}`,
  ])
}
console.log(table(['call', 'whole request', 'plain SQL', 'ratio', 'target'], rows))
await close()

function hostId(n: number): string {
  return n.toString(16).padStart(12, '0')
}

async function fill({ db, pool }: Installation): Promise<void> {
  const now = systemClock.now()
  const found = await db.selectFrom('account').select('name').where('customer_number', '=', CUSTOMER).executeTakeFirst()
  if (found) return
  await db.transaction().execute(async (tx) => {
    await catalog.load(tx, undefined as never)
    await tx.insertInto('account').values({ customer_number: CUSTOMER, name: 'Bench' }).execute()
    const product = productNamed('Structural Mechanics Pro')
    const terms = { product, licenseModel: 'Network', term: lease(dayIn('UTC', now), -10, 300), quantity: 1_000_000 }
    const sold = Array.from({ length: ENTITLEMENTS }, (_, at) =>
      entitlementRow({ customerNumber: CUSTOMER, purpose: `history ${at}` }, terms, { activation_id: `history-${at}` }),
    )
    await claimActivationIds(tx, sold)
    await insertRows(tx, 'entitlement', sold)
    const hosts = Array.from({ length: HOSTS }, (_, at) => ({
      customer_number: CUSTOMER,
      host_id_type: 'ETHERNET' as const,
      host_id: hostId(at + 1),
      host_name: `lic-${at}`,
      added_at: now,
    }))
    await insertRows(tx, 'host', hosts)
  })
  await fillLedger(pool)
}

/**
 * Firing the ledger's trigger for every row would take minutes: the sums are written once, as the trigger would have
 * left them.
 */
async function fillLedger(pool: Installation['pool']): Promise<void> {
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query(`set local statement_timeout = 0; set local session_replication_role = replica`)
    // Pairs: two seats activated, and one of them (on inactive hosts both) returned some days later.
    await connection.query(
      `insert into fulfillment (customer_number, activation_id, host_id_type, host_id, fulfill_count, fulfilled_at, modified_by)
       select $1, 'history-' || (pair % $2), 'ETHERNET', lpad(to_hex(host), 12, '0'),
              case when side = 0 then 2 when host > $4 - $5 then -2 else -1 end,
              now() - make_interval(secs => 120 * pair + 40 * (1 - side)), 'person-' || (pair % 50) || '@bench.example'
         from (select pair, case when pair < $6 then 1 else 2 + pair % ($4 - 1) end as host
                 from generate_series(0, $3 - 1) pair) p, generate_series(0, 1) side`,
      [CUSTOMER, ENTITLEMENTS, ENTRIES / 2, HOSTS, INACTIVE, MAX_ENTRIES / 2],
    )
    await connection.query(
      `insert into host_seats (customer_number, activation_id, host_id_type, host_id, seats)
       select customer_number, activation_id, host_id_type, host_id, sum(fulfill_count) from fulfillment
        where customer_number = $1 group by 1, 2, 3, 4`,
      [CUSTOMER],
    )
    await connection.query(
      `update entitlement e set activated_count = s.seats
         from (select activation_id, sum(fulfill_count)::int as seats from fulfillment where customer_number = $1 group by 1) s
        where e.customer_number = $1 and e.activation_id = s.activation_id`,
      [CUSTOMER],
    )
    await connection.query('commit')
  } finally {
    connection.release()
  }
  await pool.query('analyze')
}
