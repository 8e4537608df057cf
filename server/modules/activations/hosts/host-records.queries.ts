import { sql, type Transaction } from 'kysely'
import { hostRecords } from '#contract/data/hosts.ts'
import { hostParts, normalizedHost } from '#domain/activations/hosts/host.ts'
import { hostError } from '#domain/activations/hosts/host-validity.ts'
import { fixInstants } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByChange } from '#server/data/revoke-records.ts'
import type { Change } from '#server/data/save-records.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
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

type Use = { readonly seats: number; readonly is_busy: boolean }

/** A host that holds seats, or that a plan is changing, cannot be hidden. */
async function refuseHostsInUse(
  tx: Transaction<DB>,
  changes: readonly Change[],
): Promise<ReadonlyMap<Change, Refusal>> {
  const hidden = changes.filter(({ before, after }) => before.removedAt === null && after.removedAt !== null)
  if (hidden.length === 0) return new Map()
  const column = (field: string) => hidden.map(({ after }) => String(after[field]))
  const { rows } = await sql<Machine & { at: number; seats: number }>`
    select (k.position - 1)::int as at, h.customer_number, h.host_id_type, h.machine_id, coalesce(sum(s.seats), 0)::int as seats
      from host h
      join unnest(${column('customerNumber')}::text[], ${column('hostIdType')}::text[], ${column('hostId')}::text[])
           with ordinality as k (customer_number, host_id_type, host_id, position)
           using (customer_number, host_id_type, host_id)
      left join host_seats s using (customer_number, host_id_type, host_id)
     where ${namesCustomers('h', column('customerNumber'))}
     group by 1, 2, 3, 4`.execute(tx)
  const busy = await findBusy(tx, rows)
  return new Map(
    rows.flatMap(({ at, seats, ...machine }) => {
      const refused = refusalOf({ seats, is_busy: busy.has(keyOfMachine(machine)) })
      return refused ? [[hidden[at] as Change, refused] as const] : []
    }),
  )
}

type Machine = { readonly customer_number: string; readonly host_id_type: string; readonly machine_id: string }
const keyOfMachine = (one: Machine) => [one.customer_number, one.host_id_type, one.machine_id].join(' ')

/** The machines that a plan is changing. */
async function findBusy(tx: Transaction<DB>, machines: readonly Machine[]): Promise<ReadonlySet<string>> {
  const column = (name: keyof Machine) => machines.map((one) => one[name])
  const { rows } = await sql<Machine>`
    select customer_number, host_id_type, machine_id from busy_host
      join unnest(${column('customer_number')}::text[], ${column('host_id_type')}::text[], ${column('machine_id')}::text[])
           as k (customer_number, host_id_type, machine_id) using (customer_number, host_id_type, machine_id)`.execute(
    tx,
  )
  return new Set(rows.map(keyOfMachine))
}

function refusalOf({ seats, is_busy }: Use): Refusal | undefined {
  if (seats > 0) return refusal('HOST_ACTIVE', `The host holds ${seats} seats.`)
  return is_busy ? refusal('HOST_BUSY', 'A plan is changing the host.') : undefined
}
