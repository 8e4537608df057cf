import { sql } from 'kysely'
import { scimCallList, scimGroupList, scimPersonList } from '#contract/provisioning/provisioning.ts'
import { listSource, theCustomer } from '#server/lists/list-source.ts'

type Scope = { customerNumber: string }

export const scimPersonSource = listSource(scimPersonList, {
  columns: {
    id: 'u.user_id::text',
    userName: 'u.user_name',
    name: "coalesce(u.display_name, '')",
    email: "coalesce(u.email, '')",
    isActive: 'u.is_active',
    role: 'c.role',
    groups: `coalesce((select string_agg(g.display_name, ', ' order by g.display_name) from scim_member m
                join scim_group g on g.customer_number = m.customer_number and g.group_id = m.group_id
               where m.customer_number = the.customer and m.user_id = u.user_id), '')`,
    department: "coalesce(u.department, '')",
    costCenter: "coalesce(u.cost_center, '')",
    externalId: "coalesce(u.external_id, '')",
    changedAt: 'u.changed_at',
  },
  from: (scope: Scope) => sql`scim_user u cross join ${theCustomer(scope)}
    left join contact c on c.customer_number = u.customer_number and c.email = u.email`,
  scope: ({ customerNumber }: Scope) => sql<boolean>`u.customer_number = ${customerNumber}`,
})

export const scimGroupSource = listSource(scimGroupList, {
  columns: {
    id: 'g.group_id::text',
    name: 'g.display_name',
    members: '(select count(*) from scim_member s where s.customer_number = the.customer and s.group_id = g.group_id)',
    gives: "coalesce(m.role, 'Web group ' || w.name, 'Nothing')",
    role: 'm.role',
    webGroupId: 'm.web_group_id',
    externalId: "coalesce(g.external_id, '')",
    changedAt: 'g.changed_at',
  },
  from: (scope: Scope) => sql`scim_group g cross join ${theCustomer(scope)}
    left join scim_mapping m on m.customer_number = g.customer_number and m.group_id = g.group_id
    left join web_group w on w.customer_number = g.customer_number and w.group_id = m.web_group_id`,
  scope: ({ customerNumber }: Scope) => sql<boolean>`g.customer_number = ${customerNumber}`,
})

export const scimCallSource = listSource(scimCallList, {
  columns: {
    id: 'c.call_number',
    time: 'c.called_at',
    method: 'c.method',
    path: 'c.path',
    status: 'c.status',
    isFailed: '(c.status >= 400)',
    reason: `coalesce(case when c.status >= 400 and c.answer_body like '{%}' then c.answer_body::jsonb ->> 'detail' end, '')`,
    milliseconds: 'c.milliseconds',
    by: 'c.token_name',
  },
  from: sql`scim_call c`,
  scope: ({ customerNumber }: Scope) => sql<boolean>`c.customer_number = ${customerNumber}`,
})
