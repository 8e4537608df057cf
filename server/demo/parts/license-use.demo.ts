import { sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { type DemoHost, DONGLE, TRIAD } from '#server/demo/fulfillments-hosts.ts'
import type { Random } from '#server/demo/random.ts'
import { createLogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import type { ReadMeans } from '#server/modules/license-use/logs/read-log-part.ts'
import { storeObservations } from '#server/modules/license-use/logs/store-observations.ts'

const CUSTOMER = '100001'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const DAYS = 21
/** The dongle's server stopped reporting so many days ago. */
const SILENT_DAYS = 3
const NAMES = [
  'arnold',
  'bea',
  'chiara',
  'dmitri',
  'elif',
  'farid',
  'grace',
  'henrik',
  'ines',
  'jonas',
  'kemal',
  'lucia',
]
const FULL = '(Licensed number of users already reached. (-4,342))'
const TOO_NEW = '(License server system does not support this version of this feature. (-25,334))'

/** What two license servers reported over some weeks: working days with hours at the limit, and one that fell silent. */
export const licenseUse: DemoPart = {
  name: 'license use',
  async load(tx, { midnight, secrets, random }) {
    const since = new Date(midnight.getTime() - (DAYS + SILENT_DAYS) * DAY)
    await sql`select ensure_license_use_partitions(${since.toISOString().slice(0, 19)}::timestamp, ${midnight.toISOString().slice(0, 19)}::timestamp)`.execute(
      tx,
    )
    const logThreads = createLogThreads()
    const means = { secrets, logThreads, jobs: null }
    const silentSince = new Date(midnight.getTime() - SILENT_DAYS * DAY)
    await report(tx, means, TRIAD, midnight, random('license use of the triad'), { isFull: true })
    await report(tx, means, DONGLE, silentSince, random('license use of the dongle'))
    await logThreads.close()
  },
}

type Served = { readonly feature: string; readonly seats: number }

async function report(
  tx: Transaction<DB>,
  means: ReadMeans,
  host: DemoHost,
  until: Date,
  draw: Random,
  { isFull = false } = {},
): Promise<void> {
  const { rows } = await sql<Served>`
    select n.feature, sum(s.seats)::int as seats from host_seats s
      join entitlement e on e.customer_number = ${CUSTOMER} and e.activation_id = s.activation_id
      join product p on p.part_number = e.part_number cross join lateral unnest(p.feature_names) as n (feature)
     where s.customer_number = ${CUSTOMER} and s.host_id = ${host.id}
     group by 1 having sum(s.seats) between 5 and 20 order by 2 desc, 1 limit 2`.execute(tx)
  const lines = [...Array(DAYS).keys()].flatMap((day) =>
    workingDay(new Date(until.getTime() - (DAYS - day) * DAY), rows, draw),
  )
  const texts = [[...lines, ''].join('\n'), statusOf(host, until, rows, isFull)]
  await storeObservations(
    tx,
    means,
    { customerNumber: CUSTOMER, hostId: host.id },
    texts.map((text) => ({ text })),
    until,
  )
}

/** More people come to work than there are seats: between ten and four some are turned away, and most of them try again. */
function workingDay(day: Date, served: readonly Served[], draw: Random): string[] {
  const isWeekend = day.getUTCDay() % 6 === 0
  const events: { at: number; text: string }[] = []
  const add = (at: number, text: string) => events.push({ at, text })
  const date = `${day.getUTCMonth() + 1}/${day.getUTCDate()}/${day.getUTCFullYear()}`
  for (const hour of [0, 6, 12, 18]) add(hour * 3600, `(lmgrd) TIMESTAMP ${date}`)
  for (const [index, { feature, seats }] of served.entries()) {
    const out: number[] = []
    const arrivals = isWeekend ? 1 : Math.ceil(seats * (3.2 - 0.7 * index))
    const times = Array.from({ length: arrivals }, () => draw.integer(8 * 3600, 16 * 3600)).sort((a, b) => a - b)
    for (const [number, at] of times.entries()) {
      const name = NAMES[(number * 5 + index) % NAMES.length]!
      const who = `${name}@ws-${name.slice(0, 2)}${number % 3}`
      if (out.filter((end) => end > at).length >= seats) {
        add(at, `(ansyslmd) DENIED: "${feature}" ${who}  ${FULL}`)
        if (draw.chance(0.5)) add(at + 20, `(ansyslmd) DENIED: "${feature}" ${who}  ${FULL}`)
        continue
      }
      const end = Math.min(at + draw.integer(1800, 6 * 3600), 23 * 3600)
      out.push(end)
      add(at, `(ansyslmd) OUT: "${feature}" ${who}  `)
      add(end, `(ansyslmd) IN: "${feature}" ${who}  `)
    }
    if (!isWeekend && draw.chance(0.2))
      add(9 * 3600 + 17, `(ansyslmd) DENIED: "${feature}" trial@ws-new  (1 licenses) "v2027.1"${TOO_NEW}`)
  }
  return events.sort((one, other) => one.at - other.at).map(({ at, text }) => `${clockText(at)} ${text}`)
}

/** `isFull`: jobs of the day before still hold all seats of the first feature. */
function statusOf({ name, port = 1055 }: DemoHost, at: Date, served: readonly Served[], isFull: boolean): string {
  const names = name.split(',')
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][at.getUTCDay()]
  const day = `${at.getUTCMonth() + 1}/${at.getUTCDate()}`
  return [
    `Flexible License Manager status on ${weekday} ${day}/${at.getUTCFullYear()} 00:00`,
    `License server status: ${names.map((one) => `${port}@${one}`).join(',')}`,
    ...names.map((one, index) => `${one}: license server UP ${index === 0 ? '(MASTER) ' : ''}v11.19.6`),
    'Feature usage info:',
    ...served.flatMap(({ feature, seats }, index) => {
      const held = isFull && index === 0 ? seats : 0
      return [
        `Users of ${feature}:  (Total of ${seats} licenses issued;  Total of ${held} licenses in use)`,
        ...Array.from({ length: held }, (_, seat) => holderOf(NAMES[seat % NAMES.length]!, seat, at)),
      ]
    }),
    '',
  ].join('\n')
}

function holderOf(name: string, seat: number, at: Date): string {
  const since = new Date(at.getTime() - (3 + (seat % 9)) * HOUR)
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][since.getUTCDay()]
  const start = `${weekday} ${since.getUTCMonth() + 1}/${since.getUTCDate()} ${since.getUTCHours()}:05`
  return `    ${name} ws-${name.slice(0, 2)}${seat} :0 (v26.1) (lic-core-a/1055 ${100 + seat}), start ${start}`
}

function clockText(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}
