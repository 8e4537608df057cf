import { addDays } from '#domain/calendar/calendar-day.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { generateAccounts } from '#server/demo/generated-accounts.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'

export const accounts: DemoPart = {
  name: 'accounts',
  async load(tx, world) {
    const all = [...NAMED_ACCOUNTS, ...generateAccounts(world.random('accounts'))]
    const created = midnightOf(addDays(world.today('UTC'), -3 * 365))
    await insertRows(
      tx,
      'account',
      all.map((account) => ({
        customer_number: account.customerNumber,
        name: account.name,
        org_type: account.orgType,
        export_control_status: account.exportControlStatus,
        is_access_disabled: account.isAccessDisabled,
        support_email: `license.support@${account.mailDomain}`,
        time_zone: account.timeZone,
        created_at: created,
      })),
    )
  },
}
