import { ADMINISTRATOR, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { generateAccounts } from '#server/demo/generated-accounts.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import { NAMED_ACCOUNTS, UNSEEN_PARTNER_ACCOUNT } from '#server/demo/named-accounts.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'
import type { Random } from '#server/demo/random.ts'

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
      // The person may have signed in before the demo data was loaded.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
}

type Contact = { readonly customerNumber: string; readonly email: string; readonly role: ContactRole }

const GRANTED_BY = 'olivia.ops@vendor.example'
const DAY = 86_400_000
const ADDED_DAYS_AGO = 200

export const contacts: DemoPart = {
  name: 'contacts',
  async load(tx, world) {
    const staff = DEMO_PEOPLE.flatMap(({ email, right }) =>
      right.kind === 'staff' ? [{ email, role: right.role }] : [],
    )
    await tx
      .insertInto('staff_role')
      .values(staff.map((row) => ({ ...row, granted_by: GRANTED_BY, granted_at: world.midnight })))
      // The operator may have granted the role already.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const all = [...contactsOfDemoPeople(), ...contactsWhoNeverSignedIn(), ...generatedContacts(world)]
    await insertRows(
      tx,
      'contact',
      all.map(({ customerNumber, email, role }) => ({
        customer_number: customerNumber,
        email,
        role,
        added_at: new Date(world.midnight.getTime() - ADDED_DAYS_AGO * DAY),
        added_by: GRANTED_BY,
      })),
    )
    const grants = DEMO_PEOPLE.flatMap(({ email, right, accounts }) =>
      right.kind === 'grant'
        ? accounts.map((customer_number) => ({ customer_number, email, kind: right.grant, granted_by: GRANTED_BY }))
        : [],
    )
    await insertRows(
      tx,
      'account_grant',
      grants.map((grant) => ({ ...grant, granted_at: world.midnight })),
    )
  },
}

function contactsOfDemoPeople(): Contact[] {
  return DEMO_PEOPLE.flatMap(({ email, right, accounts }) =>
    right.kind === 'contact' ? accounts.map((customerNumber) => ({ customerNumber, email, role: right.role })) : [],
  )
}

function contactsWhoNeverSignedIn(): Contact[] {
  return [
    { customerNumber: '100001', email: 'paul.pending@aerodyne.example', role: VIEWER },
    { customerNumber: '100003', email: 'petra.principal@partner.example', role: ADMINISTRATOR },
    { customerNumber: UNSEEN_PARTNER_ACCOUNT, email: 'quinn.quiet@quietharbor.example', role: ADMINISTRATOR },
  ]
}

/** One contact who can write on every account, and sometimes a few more. */
function generatedContacts(world: { random(purpose: string): Random }): Contact[] {
  const random = world.random('contacts')
  return generateAccounts(world.random('accounts')).flatMap(({ customerNumber, mailDomain }) => {
    const contact = (name: string, role: ContactRole): Contact => ({
      customerNumber,
      email: `${name}@${mailDomain}`,
      role,
    })
    const first = random.chance(0.8) ? contact('licensing', ADMINISTRATOR) : contact('support', SUPPORT_COORDINATOR)
    return random.chance(0.25) ? [first, contact('engineering', VIEWER)] : [first]
  })
}
