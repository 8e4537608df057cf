import { type LicenseModelGroup, licenseModelGroup } from '#domain/entitlements/license-model.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { DEMO_HOSTS, hostRows } from '#server/demo/fulfillments-hosts.ts'
import { ledgerRows } from '#server/demo/fulfillments-ledger.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'

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
