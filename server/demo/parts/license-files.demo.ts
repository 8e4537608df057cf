import type { Transaction } from 'kysely'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import type { DemoPart, World } from '#server/demo/demo-part.ts'
import { activationId } from '#server/demo/entitlement-row.ts'
import { type DemoHost, DONGLE, FOUNDRY, HARBOR, MAIN_HOST, TRACK, TRIAD } from '#server/demo/fulfillments-hosts.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { NAMED_ACCOUNTS, UNSEEN_PARTNER_ACCOUNT } from '#server/demo/named-accounts.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { keepLicenseFile, loadSigner } from '#server/modules/activations/activations.public.ts'

const DAY = 86_400_000

/** Servers that several customers share, and since when. */
const GROUPS: readonly (readonly [host: DemoHost, customers: readonly string[]])[] = [
  [TRACK, ['100001', '100002']],
  [HARBOR, ['100003', UNSEEN_PARTNER_ACCOUNT]],
  [FOUNDRY, ['100003', UNSEEN_PARTNER_ACCOUNT]],
]

/**
 * Files that were generated, the older ones first. The file of the main host is older than its last seats, that of the
 * dongle holds a lease that has expired since, the workstation has none: those three are out of date.
 */
const FILES: readonly (readonly [host: DemoHost, customers: readonly string[], daysAgo: number])[] = [
  [MAIN_HOST, ['100001'], 40],
  [MAIN_HOST, ['100001'], 12],
  [DONGLE, ['100001'], 9],
  [TRIAD, ['100001'], 20],
  [TRIAD, ['100001'], 2],
  [TRACK, ['100001', '100002'], 1],
  [TRACK, ['100002', '100001'], 1],
  [HARBOR, ['100003'], 5],
]

const GENERATED_BY: Readonly<Record<string, string>> = {
  '100001': 'ada.admin@aerodyne.example',
  '100002': 'ada.admin@aerodyne.example',
  '100003': 'greta.generator@partner.example',
}

/** Groups of customers that share a license server, and the license files of some hosts. */
export const licenseFiles: DemoPart = {
  name: 'license files',
  async load(tx, world) {
    const addedAt = new Date(world.midnight.getTime() - 60 * DAY)
    for (const [host, customers] of GROUPS) {
      const random = world.random(`shared server ${host.id}`)
      const groupId = random.uuid()
      const rows = customers.map((customer_number) => ({
        customer_number,
        host_id_type: host.type,
        machine_id: host.id,
        group_id: groupId,
        added_at: addedAt,
        added_by: GENERATED_BY[customer_number] ?? 'Automated Action',
      }))
      await insertRows(tx, 'shared_server_member', rows)
    }
    for (const [host, customers, daysAgo] of FILES) await keepFile(tx, world, host, customers, daysAgo)
    await activateOnMainHost(tx, world)
  },
}

async function keepFile(
  tx: Transaction<DB>,
  world: World,
  { type, id }: DemoHost,
  customers: readonly string[],
  daysAgo: number,
): Promise<void> {
  const [customerNumber = ''] = customers
  const now = new Date(world.midnight.getTime() - daysAgo * DAY + 10 * 3_600_000)
  const host = await tx
    .selectFrom('host')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('host_id_type', '=', type)
    .where('host_id', '=', id)
    .executeTakeFirstOrThrow()
  const group = GROUPS.find(([shared]) => shared.id === id)?.[1] ?? []
  const request = {
    host,
    customers: customers.map((number) => ({ customerNumber: number, today: dayIn(timeZoneOf(number), now) })),
    group,
  }
  const email = GENERATED_BY[customerNumber] ?? 'Automated Action'
  const author = { db: tx, now, email, services: world, audit: async () => undefined }
  await keepLicenseFile(author, request, await loadSigner(tx, world.secrets, world.midnight)).catch(
    (error: unknown) => {
      // On some days all random seats on the host may have expired: then it has no file.
      if (!(error instanceof BusinessRefusal)) throw error
    },
  )
}

const timeZoneOf = (customerNumber: string) =>
  NAMED_ACCOUNTS.find((account) => account.customerNumber === customerNumber)?.timeZone ?? 'UTC'

/** Seats that came after the last file of the main host. Their license has not begun: the next file holds a START date. */
async function activateOnMainHost(tx: Transaction<DB>, { midnight, random }: World): Promise<void> {
  const customerNumber = '100001'
  await insertRows(tx, 'fulfillment', [
    {
      customer_number: customerNumber,
      fulfillment_id: [8, 4, 4, 4, 12].map((digits) => random('seats after a file').hex(digits)).join('-'),
      activation_id: activationId({ customerNumber, purpose: 'starts tomorrow' }),
      host_id_type: MAIN_HOST.type,
      host_id: MAIN_HOST.id,
      fulfill_count: 2,
      modified_by: 'cora.coordinator@aerodyne.example',
      fulfilled_at: new Date(midnight.getTime() - DAY / 2),
    },
  ])
}
