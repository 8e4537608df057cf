import { type SqlBool, sql } from 'kysely'
import { waitingList } from '#contract/license-use/waiting/waiting.ts'
import { PRIORITIES, WAITING_LABELS } from '#domain/license-use/waiting/waiting-line.ts'
import { listSource } from '#server/lists/list-source.ts'

const states = Object.entries(WAITING_LABELS).map(([state, label]) => `when '${state}' then '${label}'`)

/** `email`: whose own places are marked. */
type WaitingScope = { readonly customerNumber: string; readonly email: string }

/** Everybody in line on an account. */
export const waitingSource = listSource(waitingList, {
  columns: {
    id: 'w.wait_id',
    feature: 'w.feature',
    place: 'w.place',
    // A job replaces names that were stored before pseudonyms were chosen. Until it has, nobody sees or finds them.
    user: "case when p.has_pseudonyms and w.user_name !~ '^user-[0-9a-f]{10}$' then 'user-' else w.user_name end",
    isOwn: 'w.is_own',
    seats: 'w.seats',
    serverId: 'w.host_id',
    serverName: 'h.host_name',
    priority: 'w.priority',
    state: 'w.state',
    stateText: `case w.state ${states.join(' ')} else w.state end`,
    joinedAt: 'w.joined_at',
    until: 'w.until',
    offerServerName: 'o.host_name',
    offerEndsAt: 'w.offer_ends_at',
  },
  from: ({ customerNumber, email }: WaitingScope) => sql`(
      select *, email = ${email} as is_own,
             row_number() over (partition by feature order by array_position(${[...PRIORITIES]}::text[], priority), number)::int as place
        from license_wait where customer_number = ${customerNumber} and closed_at is null) w
    left join host h on h.customer_number = ${customerNumber} and h.host_id = w.host_id
    left join host o on o.customer_number = ${customerNumber} and o.host_id = w.offered_host
    left join license_use_settings p on p.customer_number = ${customerNumber}`,
  scope: ({ customerNumber }: WaitingScope) => sql<SqlBool>`w.customer_number = ${customerNumber}`,
})
