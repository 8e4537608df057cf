import { type SqlBool, sql } from 'kysely'
import {
  webEntitlementList,
  webGroupAssignmentList,
  webGroupList,
  webMemberList,
  webSeatList,
  webUserList,
} from '#contract/web-licenses/web-lists.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { LISTED_ENTITLEMENT } from '#server/identity/listed-entitlements.queries.ts'
import { listSource, theCustomer } from '#server/lists/list-source.ts'

export type WebScope = { readonly customerNumber: string }

/** The license model in the words of the screens, for a column that holds the kind. */
export const licenseModelOf = (kind: string) =>
  `case ${kind} when 'SUBSCRIPTION' then '${WEB_LICENSE_MODELS.SUBSCRIPTION}' else '${WEB_LICENSE_MODELS.CONCURRENT}' end`

const isWebEntitlement = sql.raw<SqlBool>(`e.kind in ('SUBSCRIPTION', 'CONCURRENT') and ${LISTED_ENTITLEMENT}`)
const ENTITLEMENT = "e.product_name || ' ' || e.activation_id"
const entitlementColumns = {
  activationId: 'e.activation_id',
  product: 'e.product_name',
  licenseModel: licenseModelOf('e.kind'),
}

export const webEntitlementSource = listSource(webEntitlementList, {
  columns: {
    ...entitlementColumns,
    entitlement: ENTITLEMENT,
    quantity: 'e.line_item_quantity',
    assigned: 'coalesce(u.seats, 0)',
    groups: `(select count(*) from web_group_assignment a
               where a.customer_number = the.customer and a.activation_id = e.activation_id)`,
    running: 'coalesce(u.running, 0)',
    startDate: 'e.start_date',
    endDate: { column: 'e.ends_on', missingIsInfinity: true },
  },
  from: (scope: WebScope) => sql`entitlement e cross join ${theCustomer(scope)}
    left join web_license_use u on u.customer_number = e.customer_number and u.activation_id = e.activation_id`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`e.customer_number = ${customerNumber} and ${isWebEntitlement}`,
})

/** Assigned by name. */
const IS_DIRECT = `exists (select 1 from web_user_assignment a where a.customer_number = the.customer
                             and a.activation_id = s.activation_id and a.email = s.email)`
/** The groups through which the seat is assigned; null without any. */
const THROUGH = `(select 'Through ' || string_agg(g.name, ', ' order by g.name) from web_group g
                   join web_group_assignment a on a.customer_number = g.customer_number and a.group_id = g.group_id
                   join web_group_member m on m.customer_number = g.customer_number and m.group_id = g.group_id
                  where g.customer_number = the.customer and a.activation_id = s.activation_id and m.email = s.email)`

export const webSeatSource = listSource(webSeatList, {
  columns: {
    ...entitlementColumns,
    entitlement: ENTITLEMENT,
    email: 's.email',
    name: 'p.name',
    isDirect: IS_DIRECT,
    assignment: `concat_ws(', ', case when ${IS_DIRECT} then 'By name' end, ${THROUGH})`,
    since: 's.since',
    running: `(select count(*) from web_checkout c where c.customer_number = the.customer
                  and c.activation_id = s.activation_id and c.email = s.email and c.ends_at = 'infinity')`,
  },
  from: (scope: WebScope) => sql`web_seat s cross join ${theCustomer(scope)}
    join entitlement e on e.customer_number = s.customer_number and e.activation_id = s.activation_id
    join web_user p on p.customer_number = s.customer_number and p.email = s.email`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`s.customer_number = ${customerNumber} and ${isWebEntitlement}`,
})

export const webUserSource = listSource(webUserList, {
  columns: {
    email: 'p.email',
    name: 'p.name',
    groups: `coalesce((select string_agg(g.name, ', ' order by g.name) from web_group g
                join web_group_member m on m.customer_number = g.customer_number and m.group_id = g.group_id
               where m.customer_number = the.customer and m.email = p.email), '')`,
    entitlements: `(select count(*) from web_seat s where s.customer_number = the.customer and s.email = p.email)`,
    running: `(select count(*) from web_checkout c
                where c.customer_number = the.customer and c.email = p.email and c.ends_at = 'infinity')`,
    lastCheckout: `(select max(c.started_at) from web_checkout c
                     where c.customer_number = the.customer and c.email = p.email)`,
    addedAt: 'p.added_at',
    isManaged: 'exists (select from scim_user u where u.customer_number = the.customer and u.email = p.email)',
  },
  from: (scope: WebScope) => sql`web_user p cross join ${theCustomer(scope)}`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`p.customer_number = ${customerNumber}`,
})

const membersOf = (group: string) =>
  `(select count(*) from web_group_member m where m.customer_number = the.customer and m.group_id = ${group}.group_id)`

export const webGroupSource = listSource(webGroupList, {
  columns: {
    groupId: 'g.group_id',
    name: 'g.name',
    members: membersOf('g'),
    entitlements: `(select count(*) from web_group_assignment a
                     where a.customer_number = the.customer and a.group_id = g.group_id)`,
    createdAt: 'g.created_at',
  },
  from: (scope: WebScope) => sql`web_group g cross join ${theCustomer(scope)}`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`g.customer_number = ${customerNumber}`,
})

export const webMemberSource = listSource(webMemberList, {
  columns: {
    groupId: 'm.group_id',
    group: 'g.name',
    email: 'm.email',
    name: 'p.name',
    isManaged: `exists (select from scim_given s where s.customer_number = the.customer and s.email = m.email
                   and s.kind = 'web-group' and s.target = m.group_id)`,
  },
  from: (scope: WebScope) => sql`web_group_member m cross join ${theCustomer(scope)}
    join web_group g on g.customer_number = m.customer_number and g.group_id = m.group_id
    join web_user p on p.customer_number = m.customer_number and p.email = m.email`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`m.customer_number = ${customerNumber}`,
})

export const webGroupAssignmentSource = listSource(webGroupAssignmentList, {
  columns: {
    ...entitlementColumns,
    groupId: 'a.group_id',
    group: 'g.name',
    members: membersOf('a'),
    since: 'a.assigned_at',
  },
  from: (scope: WebScope) => sql`web_group_assignment a cross join ${theCustomer(scope)}
    join entitlement e on e.customer_number = a.customer_number and e.activation_id = a.activation_id
    join web_group g on g.customer_number = a.customer_number and g.group_id = a.group_id`,
  scope: ({ customerNumber }: WebScope) => sql<SqlBool>`a.customer_number = ${customerNumber} and ${isWebEntitlement}`,
})
