import { createHash } from 'node:crypto'
import type { Reminders } from '#domain/reminders/reminders.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { listDue } from '#server/modules/reminders/check-reminders.ts'
import { markSent, saveReminders } from '#server/modules/reminders/reminders.queries.ts'

const CUSTOMER = '100001'
const BY = 'ada.admin@aerodyne.example'
const HOUR = 3_600_000
const DAY = 24 * HOUR

export const DEMO_REMINDERS: Reminders = {
  recipients: [BY, 'cora.coordinator@aerodyne.example'],
  leadDays: [90, 30, 7],
  elastic: [
    { measure: 'percent', value: '20' },
    { measure: 'amount', value: '500' },
  ],
  fsa: [{ measure: 'percent', value: '10' }],
  budgets: [{ by: 'project', name: 'Gearbox Thermal', amount: '2500' }],
  seatDenials: false,
  silentServers: false,
}

/** The reminders of one account, and its calendar addresses: one in use, one revoked. Nobody knows their secrets. */
export const reminders: DemoPart = {
  name: 'reminders',
  async load(tx, { midnight, random }) {
    const { time_zone } = await tx
      .selectFrom('account')
      .select('time_zone')
      .where('customer_number', '=', CUSTOMER)
      .executeTakeFirstOrThrow()
    await saveReminders(tx, CUSTOMER, DEMO_REMINDERS, { email: BY, at: new Date(midnight.getTime() - 40 * DAY) })
    // What is due already needs no mail: the demo account gets one when the next threshold is crossed.
    const due = await listDue(tx, { customerNumber: CUSTOMER, timeZone: time_zone }, DEMO_REMINDERS, midnight)
    await markSent(
      tx,
      CUSTOMER,
      due.flatMap(({ keys }) => keys.map((key) => ({ key, told: null }))),
      midnight,
    )
    const draw = random('reminders')
    const ago = (time: number) => new Date(midnight.getTime() - time)
    const feed = (name: string, created_at: Date, change: { used_at: Date; revoked_at?: Date }) => ({
      customer_number: CUSTOMER,
      id: draw.uuid(),
      name,
      secret_hash: createHash('sha256').update(draw.hex(64)).digest(),
      created_by: BY,
      created_at,
      revoked_at: null,
      ...change,
    })
    await insertRows(tx, 'calendar_feed', [
      feed('License team', ago(38 * DAY), { used_at: ago(3 * HOUR) }),
      feed('Purchasing, before the move', ago(200 * DAY), { used_at: ago(60 * DAY), revoked_at: ago(59 * DAY) }),
    ])
  },
}
