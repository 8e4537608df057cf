import { accountList, customerAccountList } from '#contract/accounts/account-list.ts'
import { type AccountInfo, getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { getRecentAccounts, noteOpenedAccount } from '#contract/accounts/recent-accounts.ts'
import { writableAccounts } from '#contract/accounts/writable-accounts.ts'
import { isAsc, isPortalEdit, isPortalView } from '#domain/access/can.ts'
import { ADMINISTRATOR, STAFF_ROLES, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { accountSource } from '#server/modules/accounts/account.list.ts'
import {
  accountScope,
  findPerson,
  listWritableAccounts,
  loadAccount,
} from '#server/modules/accounts/accounts.queries.ts'
import { listRecentAccounts, saveOpenedAccount } from '#server/modules/accounts/recent-accounts.queries.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export const accountsModule: Module = {
  name: 'accounts',
  mayUse: [],
  routes,
}

function routes(route: Route): void {
  route(getUserDetails, async ({ actor, db, request }) => {
    const person = await findPerson(db, actor)
    return {
      data: {
        email: actor.email,
        firstName: person.first_name,
        lastName: person.last_name,
        viewedBy: request.caller?.viewedBy ?? null,
        roles: toRoles(actor, person.contact_roles),
      },
    }
  })
  // Both lists hold the same accounts: a person who sees an account may also name it as an associated customer.
  const visible = { source: accountSource, scope: ({ actor }: { actor: Actor }) => accountScope(actor) }
  routeList(route, accountList, visible)
  routeList(route, customerAccountList, visible)
  route(writableAccounts, async ({ actor, body, db }) => ({
    data: await listWritableAccounts(db, actor, body.limit ?? 100),
  }))
  route(getRecentAccounts, async ({ actor, db }) => ({ data: await listRecentAccounts(db, actor) }))
  route(noteOpenedAccount, async ({ actor, standing, db, now }) => {
    await saveOpenedAccount(db, actor.email, standing.customerNumber, now)
    return { data: null }
  })
  route(getAccountInfo, async ({ actor, standing, db, now }) => {
    const account = await loadAccount(db, standing.customerNumber)
    return { data: toAccountInfo(actor, standing, account, dayIn(account.time_zone, now)) }
  })
}

type AccountRow = { customer_number: string; name: string; support_email: string; time_zone: string }

function toAccountInfo(actor: Actor, standing: Standing, row: AccountRow, today: string): AccountInfo {
  const { holdings } = standing
  return {
    customerNumber: row.customer_number,
    customerName: row.name,
    timeZone: row.time_zone,
    today,
    isPortalView: isPortalView(standing),
    isPortalEdit: isPortalEdit(standing),
    isAsc: isAsc(standing),
    isFNPLicenseGenerator: standing.isFNPLicenseGenerator,
    isAccessDisabled: standing.isAccessDisabled,
    isSalesAccess: standing.isSalesAccess,
    isSales: actor.staff.has('sales'),
    hasSSL: holdings.ssl,
    hasSharedLicense: holdings.sharedWeb,
    hasNamedLicense: holdings.namedUser,
    hasFSA: holdings.fsa,
    hasElastic: holdings.elastic,
    orgType: standing.orgType,
    supportEmail: row.support_email,
    ansysExportControlStatus: standing.exportControlStatus,
  }
}

const WIRE_ROLES: Record<string, string> = {
  [SUPPORT_COORDINATOR]: 'asc',
  [ADMINISTRATOR]: 'portaledit',
  [VIEWER]: 'portalview',
}

/** The role names on the wire: everyone is a user; contact roles count when they are held on any account. */
function toRoles(actor: Actor, contactRoles: readonly string[]): string[] {
  const held = Object.entries(WIRE_ROLES).filter(([role]) => contactRoles.includes(role))
  return ['user', ...STAFF_ROLES.filter((role) => actor.staff.has(role)), ...held.map(([, name]) => name)]
}
