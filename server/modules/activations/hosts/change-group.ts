import type {
  deactivateSharedServer as deactivateOperation,
  overrideCustomers as overrideOperation,
  removeSharedServer as removeOperation,
  setSharedServer as setOperation,
} from '#contract/activations/hosts/shared-server.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { canDeleteHost, hostState } from '#domain/activations/hosts/host-list.ts'
import { refusedMembers } from '#domain/activations/hosts/shared-server.ts'
import { activeText, ONLY_INACTIVE_HOSTS } from '#domain/activations/plans/host-plan.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { type Member, toMembers, toWireMember } from '#server/modules/activations/hosts/group-members.ts'
import {
  leaveGroup,
  lockGroup,
  overrideGroup,
  refuseSharedElsewhere,
  replaceGroup,
} from '#server/modules/activations/hosts/group-steps.ts'
import { loadHostUse, lockHost, removeHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import {
  noSuchHost,
  readMachine,
  refuseBusyHost,
  requireHost,
  toHostIdentity,
} from '#server/modules/activations/hosts/named-host.ts'
import { authorOf } from '#server/modules/activations/step-author.ts'
import type { Call, Result } from '#server/operations/route.ts'

type GroupCall = Call<typeof overrideOperation | typeof deactivateOperation | typeof setOperation>

const UNMANAGED =
  'This license server is shared with customers that you do not manage. Take them out of the group first.'

/** Removes the customers that the caller does not manage from the group, and notifies them. */
export async function overrideCustomers(
  call: Call<typeof overrideOperation>,
): Promise<Result<typeof overrideOperation>> {
  const { group, host, members } = await lockCalledGroup(call)
  const removed = members.filter(({ isManaged }) => !isManaged)
  await overrideGroup(authorOf(call), call.services, group, { host, unmanaged: removed.map(numberOf) })
  return { data: removed.map(toRemovedLine) }
}

/** Removes the customers that the caller manages from the group; others keep sharing. */
export async function deactivateSharedServer(
  call: Call<typeof deactivateOperation>,
): Promise<Result<typeof deactivateOperation>> {
  const { group, members } = await lockCalledGroup(call)
  const removed = members.filter(({ isManaged }) => isManaged)
  await leaveGroup(authorOf(call), group, removed.map(numberOf))
  return { data: removed.map(toRemovedLine) }
}

export async function setSharedServer(call: Call<typeof setOperation>): Promise<Result<typeof setOperation>> {
  const { actor, body, db, standing } = call
  const wanted = [...new Set(body.group)]
  if (!wanted.includes(standing.customerNumber))
    throw new HttpError(400, `The group must include ${standing.customerNumber}`)
  const { group, members } = await lockCalledGroup(call)
  const wantedMembers = await toMembers(db, actor, wanted)
  await refuseForeign(call, wanted, wantedMembers, new Set(group.members))
  if (members.some(({ customerNumber, isManaged }) => !isManaged && !wanted.includes(customerNumber)))
    throw new BusinessRefusal('UNMANAGED_MEMBERS', UNMANAGED)
  const joining = wanted.filter((one) => !group.members.includes(one))
  await refuseSharedElsewhere(db, joining, wanted, group.machine)
  await replaceGroup(authorOf(call), group, wanted)
  return { data: wanted.length > 1 ? wantedMembers.map(toWireMember) : [] }
}

/** Hides an inactive host, and removes the account from the group of customers that share it. Ledger and files stay. */
export async function removeServer(call: Call<typeof removeOperation>): Promise<Result<typeof removeOperation>> {
  const { body, db, now, standing } = call
  const { customerNumber } = standing
  const group = await lockGroup(db, customerNumber, { serverId: body.hostId, serverIdType: body.hostIdType })
  const row = await lockHost(db, customerNumber, group.machine)
  if (!row) throw noSuchHost(group.machine)
  await refuseBusyHost(db, row)
  const host = { ...toHostIdentity(row), state: hostState(await loadHostUse(db, row)) }
  if (host.state === 'Active') throw new BusinessRefusal('HOST_ACTIVE', activeText(host))
  if (!canDeleteHost(host)) throw new BusinessRefusal('HOST_NOT_INACTIVE', ONLY_INACTIVE_HOSTS)
  await removeHost(db, row, now)
  await call.audit({ target: row.host_id, before: { serverName: row.host_name } })
  await leaveGroup(authorOf(call), { ...group, serverId: row.host_id }, [customerNumber])
  return { data: null }
}

async function lockCalledGroup({ actor, body, db, standing }: GroupCall) {
  const host = await requireHost(db, standing.customerNumber, readMachine(body.hostId, body.hostIdType))
  await refuseBusyHost(db, host)
  const group = await lockGroup(db, standing.customerNumber, toHostIdentity(host))
  return { group, host, members: await toMembers(db, actor, group.members) }
}

/** An account that the caller does not see and one that does not exist get the same answer. */
async function refuseForeign(
  call: GroupCall,
  group: readonly string[],
  wanted: readonly Member[],
  members: ReadonlySet<string>,
): Promise<void> {
  const known = new Map(wanted.map((member) => [member.customerNumber, member]))
  const writable = new Set(wanted.filter(({ isManaged }) => isManaged).map(numberOf))
  const exportStatusOf = (number: string) => known.get(number)?.account.standing.exportControlStatus
  const refused = refusedMembers(group, { writable, members }, exportStatusOf)
  if (refused.length === 0) return
  const error = new HttpError(403, NOT_ENOUGH_PERMISSIONS)
  await call.refuse(error, ...refused.map((customerNumber) => ({ customerNumber })))
}

const numberOf = ({ customerNumber }: Member) => customerNumber
const toRemovedLine = ({ customerNumber }: Member) => ({ customerNumber, status: 'SUCCESS' as const })
