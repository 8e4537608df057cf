import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { Machine } from '#server/modules/activations/hosts/hosts.queries.ts'

/** Customers that share a machine with this one, itself included; none if it is not shared. */
export async function listMembers(db: Kysely<DB>, customerNumber: string, machine: Machine): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select g.customer_number from shared_server_member m join shared_server_member g using (group_id)
     where m.customer_number = ${customerNumber} and m.host_id_type = ${machine.hostIdType}
       and m.machine_id = ${machine.machineId}
     order by g.customer_number`.execute(db)
  return rows.map((row) => row.customer_number)
}

/** Locks a machine, so that concurrent changes of its groups are serialized. */
export async function lockMachine(tx: Transaction<DB>, { hostIdType, machineId }: Machine): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shared server ${hostIdType} ${machineId}`}, 0))`.execute(
    tx,
  )
}

export async function deleteMembers(
  tx: Transaction<DB>,
  customerNumbers: readonly string[],
  { hostIdType, machineId }: Machine,
): Promise<void> {
  if (customerNumbers.length === 0) return
  await tx
    .deleteFrom('shared_server_member')
    .where('customer_number', 'in', [...customerNumbers])
    .where('host_id_type', '=', hostIdType)
    .where('machine_id', '=', machineId)
    .execute()
}

/** Puts customers into one group, and removes them from any other. */
export async function saveGroup(
  tx: Transaction<DB>,
  customerNumbers: readonly string[],
  machine: Machine,
  by: { email: string; now: Date },
): Promise<void> {
  await deleteMembers(tx, customerNumbers, machine)
  const groupId = randomUUID()
  await tx
    .insertInto('shared_server_member')
    .values(
      customerNumbers.map((customer_number) => ({
        customer_number,
        host_id_type: machine.hostIdType,
        machine_id: machine.machineId,
        group_id: groupId,
        added_at: by.now,
        added_by: by.email,
      })),
    )
    .execute()
}
