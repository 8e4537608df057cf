import { addDays } from '#domain/calendar/calendar-day.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { generateAccounts } from '#server/demo/generated-accounts.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'

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

export const people: DemoPart = {
  name: 'people',
  async load(tx) {
    await tx
      .insertInto('person')
      .values(
        DEMO_PEOPLE.map((person) => ({
          email: person.email,
          first_name: person.firstName,
          last_name: person.lastName,
          last_sign_in_at: null,
        })),
      )
      // Someone may have signed in before the demo data came.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
}
