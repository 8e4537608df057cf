import type { removeSharedServer as operation } from '#contract/activations/hosts/shared-server.ts'
import { canDeleteHost, hostState } from '#domain/activations/hosts/host-list.ts'
import { activeText, ONLY_INACTIVE_HOSTS } from '#domain/activations/plans/host-plan.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { refuseBusyHost } from '#server/modules/activations/hosts/busy-host.ts'
import { loadHostUse, lockHost, removeHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine } from '#server/modules/activations/hosts/named-host.ts'
import { deleteMembers, listMembers, lockMachine } from '#server/modules/activations/hosts/shared-server.queries.ts'
import { toHostIdentity } from '#server/modules/activations/license-files/license-file.mapping.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Hides an inactive host, and takes the account out of the group of customers that share it. Ledger and files stay. */
export async function removeServer(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, now, standing } = call
  const { customerNumber } = standing
  const machine = readMachine(body.hostId, body.hostIdType)
  await lockMachine(db, machine)
  const row = await lockHost(db, customerNumber, machine)
  if (!row) throw new HttpError(404, `This account has no license server ${machine.machineId}`)
  await refuseBusyHost(db, row)
  const host = { ...toHostIdentity(row), state: hostState(await loadHostUse(db, row)) }
  if (host.state === 'Active') throw new BusinessRefusal('HOST_ACTIVE', activeText(host))
  if (!canDeleteHost(host)) throw new BusinessRefusal('HOST_NOT_INACTIVE', ONLY_INACTIVE_HOSTS)
  await removeHost(db, row, now)

  const members = await listMembers(db, customerNumber, machine)
  const left = members.filter((one) => one !== customerNumber)
  // A group needs two members.
  await deleteMembers(db, left.length > 1 ? [customerNumber] : members, machine)
  await call.audit({ target: row.host_id, before: { serverName: row.host_name, group: members } })
  for (const other of left)
    await call.audit({
      customerNumber: other,
      target: row.host_id,
      before: { group: members },
      after: { group: left.length > 1 ? left : [] },
    })
  return { data: null }
}
