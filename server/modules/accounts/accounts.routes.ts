import { countAccounts, distinctAccounts, getAccounts, getCustomerAccounts } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { writableAccounts } from '#contract/accounts/writable-accounts.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { fetchCount } from '#server/lists/list-count.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { fetchPageJson } from '#server/lists/list-page.ts'
import { accountList, accountScope } from '#server/modules/accounts/account.list.ts'
import { toAccountInfo, toRoles } from '#server/modules/accounts/accounts.mapping.ts'
import { accountOf, personOf, writableAccountsOf } from '#server/modules/accounts/accounts.queries.ts'
import { type Call, ReadyJson, type Route } from '#server/plugins/route.ts'

export function accountsRoutes(route: Route): void {
  route(getUserDetails, async ({ actor, db }) => {
    const person = await personOf(db, actor.email)
    return {
      data: {
        email: actor.email,
        firstName: person?.first_name ?? '',
        lastName: person?.last_name ?? '',
        roles: toRoles(actor, person?.contact_roles ?? []),
      },
    }
  })
  route(getAccounts, accountPage)
  route(getCustomerAccounts, accountPage)
  route(countAccounts, async ({ actor, body, db }) => ({
    data: await fetchCount(db, accountList, accountScope(actor), body),
  }))
  route(distinctAccounts, async ({ actor, body, db }) => {
    const values = await fetchDistinct(db, accountList, accountScope(actor), { key: 'AccountName', ...body })
    return { data: values.map(String), token: null }
  })
  route(writableAccounts, async ({ actor, body, db }) => ({
    data: await writableAccountsOf(db, actor, body.limit ?? 100),
  }))
  route(getAccountInfo, async ({ actor, standing, db, now }) => {
    const account = await accountOf(db, standing.customerNumber)
    return { data: toAccountInfo(actor, standing, account, dayIn(account.time_zone, now)) }
  })
}

/** Both account lists answer the same accounts: whoever sees an account may also name it as an associated customer. */
async function accountPage({
  actor,
  body,
  db,
  services,
}: Pick<Call<typeof getAccounts>, 'actor' | 'body' | 'db' | 'services'>): Promise<ReadyJson> {
  const { json, token } = await fetchPageJson(db, accountList, accountScope(actor), body, { tokens: services.tokens })
  return new ReadyJson(`{"status":"SUCCESS","data":${json},"token":${JSON.stringify(token)}}`)
}
