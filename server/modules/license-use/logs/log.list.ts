import { type SqlBool, sql } from 'kysely'
import { licenseLogList } from '#contract/license-use/logs.ts'
import { listSource } from '#server/lists/list-source.ts'

const MAX_LINES = 10

/** Debug logs that the license servers of an account have reported. */
export const licenseLogSource = listSource(licenseLogList, {
  columns: {
    id: "l.host_id || ' ' || l.number",
    name: 'l.name',
    serverId: 'l.host_id',
    serverName: 'h.host_name',
    lines: 'l.lines',
    unreadLines: 'l.unread_lines',
    unread: "coalesce(u.text, '')",
    firstAt: "to_char(l.first_at, 'YYYY-MM-DD HH24:MI:SS')",
    lastAt: "to_char(l.last_at, 'YYYY-MM-DD HH24:MI:SS')",
  },
  from: ({ customerNumber }: { readonly customerNumber: string }) => sql`license_log l
    join host h on h.customer_number = ${customerNumber} and h.host_id = l.host_id
    left join lateral (
      select string_agg('line ' || p.line || ' (' || replace(p.code, '-', ' ') || ')', ', ' order by p.line) as text
        from (select q.line, q.code from license_log_problem q
               where q.customer_number = ${customerNumber} and q.host_id = l.host_id and q.number = l.number
               order by q.line limit ${MAX_LINES}) p) u on true`,
  scope: ({ customerNumber }) => sql<SqlBool>`l.customer_number = ${customerNumber}`,
})
