import { sql, type Transaction } from 'kysely'
import { hostRecords } from '#contract/data/hosts.ts'
import { hostParts, normalizedHost } from '#domain/activations/hosts/host.ts'
import { hostError } from '#domain/activations/hosts/host-validity.ts'
import { fixInstants } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByChange } from '#server/data/revoke-records.ts'
import type { Change } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { refuseUnknownAccounts } from '#server/modules/accounts/accounts.public.ts'

export const hostData = recordData(
  {
    kind: hostRecords,
    table: {
      table: 'host',
      key: hostRecords.key,
      // Locks `for update`, because activating seats on a host only refers to it.
      lock: 'update',
      fields: {
        customerNumber: { column: 'customer_number', type: 'text' },
        hostIdType: { column: 'host_id_type', type: 'text' },
        hostId: { column: 'host_id', type: 'text' },
        hostName: { column: 'host_name', type: 'text' },
        port: { column: 'port', type: 'integer' },
        isBorrowable: { column: 'is_borrowable', type: 'boolean' },
        addedAt: { column: 'added_at', type: 'timestamptz' },
        removedAt: { column: 'removed_at', type: 'timestamptz' },
      },
    },
    read(row) {
      const host = hostOf(row)
      const error = hostError(host)
      if (error !== undefined) return { refusal: refusal('INVALID_RECORD', error) }
      return {
        row: fixInstants({ ...row, hostId: host.serverId, hostName: host.serverName }, ['addedAt', 'removedAt']),
      }
    },
    readKey: (key) => ({ ...key, hostId: hostOf(key).serverId }),
    prepare: async (tx, rows, { now }) => ({
      refusals: await refuseUnknownAccounts(tx, rows),
      defaults: () => ({ addedAt: now.toISOString() }),
    }),
    check: refuseHostsInUse,
    taken: async (_tx, rows) => new Map(rows.map((row) => [row, SAME_MACHINE])),
  },
  (tx, ids, context, rules) =>
    revokeByChange(tx, ids, context, rules, (row) =>
      row.removedAt === null ? { removedAt: context.now.toISOString() } : {},
    ),
)

const SAME_MACHINE = refusal('VALUE_TAKEN', 'The account has these machines as a triad with another primary.')

/** The ids of a triad all have the same type, so a record has one type. */
function hostOf({ hostId, hostIdType, hostName = '' }: Row) {
  const types = hostParts(String(hostId)).map(() => String(hostIdType))
  return normalizedHost({
    serverId: String(hostId),
    serverIdType: types.join(',') || String(hostIdType),
    serverName: String(hostName),
  })
}

type Use = { at: number; seats: number; is_busy: boolean }

/** A host that holds seats, or that a plan is changing, cannot be hidden. */
async function refuseHostsInUse(
  tx: Transaction<DB>,
  changes: readonly Change[],
): Promise<ReadonlyMap<Change, Refusal>> {
  const hidden = changes.filter(({ before, after }) => before.removedAt === null && after.removedAt !== null)
  if (hidden.length === 0) return new Map()
  const column = (field: string) => hidden.map(({ after }) => String(after[field]))
  const { rows } = await sql<Use>`
    select (k.position - 1)::int as at, coalesce(sum(s.seats), 0)::int as seats, bool_or(b.plan_id is not null) as is_busy
      from host h
      join unnest(${column('customerNumber')}::text[], ${column('hostIdType')}::text[], ${column('hostId')}::text[])
           with ordinality as k (customer_number, host_id_type, host_id, position)
           using (customer_number, host_id_type, host_id)
      left join host_seats s using (customer_number, host_id_type, host_id)
      left join busy_host b using (customer_number, host_id_type, machine_id)
     group by 1`.execute(tx)
  return new Map(
    rows.flatMap((use) => {
      const refused = refusalOf(use)
      return refused ? [[hidden[use.at] as Change, refused] as const] : []
    }),
  )
}

function refusalOf({ seats, is_busy }: Use): Refusal | undefined {
  if (seats > 0) return refusal('HOST_ACTIVE', `The host holds ${seats} seats.`)
  return is_busy ? refusal('HOST_BUSY', 'A plan is changing the host.') : undefined
}
