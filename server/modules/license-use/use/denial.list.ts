import { type SqlBool, sql } from 'kysely'
import { licenseDenialList } from '#contract/license-use/denials.ts'
import { DENIAL_CAUSE_LABELS } from '#domain/license-use/logs/denial-cause.ts'
import { listSource } from '#server/lists/list-source.ts'

const causes = Object.entries(DENIAL_CAUSE_LABELS).map(([cause, label]) => `when '${cause}' then '${label}'`)

type DenialScope = { readonly customerNumber: string; readonly from: string; readonly to: string }

/** Denials of the license servers of an account in a range of days. */
export const licenseDenialSource = listSource(licenseDenialList, {
  columns: {
    id: "d.host_id || ' ' || d.number || ' ' || d.id",
    time: "to_char(d.at, 'YYYY-MM-DD HH24:MI:SS')",
    serverId: 'd.host_id',
    serverName: 'h.host_name',
    feature: 'd.feature',
    // A job replaces names that were stored before pseudonyms were chosen. Until it has, nobody sees or finds them.
    user: "case when p.has_pseudonyms and d.user_name !~ '^(user-[0-9a-f]{10})?$' then 'user-' else d.user_name end",
    host: 'd.user_host',
    seats: 'd.seats',
    version: 'd.version',
    cause: 'd.cause',
    causeText: `case d.cause ${causes.join(' ')} else d.cause end`,
    code: 'd.code',
    text: 'd.reason',
    meaning:
      "case when d.is_real then 'Denial (no seat within a minute)' when d.is_granted then 'Got a seat' when d.is_retry then 'Retry' else '' end",
    isReal: 'd.is_real',
  },
  from: ({ customerNumber }: DenialScope) => sql`license_denial d
    join host h on h.customer_number = ${customerNumber} and h.host_id = d.host_id
    left join license_use_settings p on p.customer_number = ${customerNumber}`,
  scope: ({ customerNumber, from, to }: DenialScope) =>
    sql<SqlBool>`d.customer_number = ${customerNumber} and d.at >= ${from}::timestamp and d.at < ${to}::timestamp + interval '1 day'
      and not d.is_repeated`,
})
