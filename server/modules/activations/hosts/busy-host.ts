import type { Kysely } from 'kysely'
import { busyText } from '#domain/activations/plans/host-plan.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import type { HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { toHostIdentity } from '#server/modules/activations/license-files/license-file.mapping.ts'
import { isBusy } from '#server/modules/activations/plans/host-plans.queries.ts'

/** A host that a plan is changing is left alone until that is done. */
export async function refuseBusyHost(db: Kysely<DB>, host: HostRow): Promise<void> {
  const machine = { hostIdType: host.host_id_type, machineId: host.machine_id }
  if (await isBusy(db, { customerNumber: host.customer_number, machine }))
    throw new BusinessRefusal('HOST_BUSY', busyText(toHostIdentity(host)))
}
