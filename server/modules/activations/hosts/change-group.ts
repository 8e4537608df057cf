import type {
  deactivateSharedServer as deactivateOperation,
  overrideCustomers as overrideOperation,
  setSharedServer as setOperation,
} from '#contract/activations/hosts/shared-server.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { refusedMembers } from '#domain/activations/hosts/shared-server.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { refuseBusyHost } from '#server/modules/activations/hosts/busy-host.ts'
import {
  loadGroup,
  type Member,
  requireHost,
  toMembers,
  toWireMember,
} from '#server/modules/activations/hosts/group-members.ts'
import {
  type LockedGroup,
  leaveGroup,
  refuseSharedElsewhere,
  replaceGroup,
} from '#server/modules/activations/hosts/group-steps.ts'
import { readMachine } from '#server/modules/activations/hosts/named-host.ts'
import { mailRemoved } from '#server/modules/activations/hosts/removed-mail.ts'
import { lockMachine } from '#server/modules/activations/hosts/shared-server.queries.ts'
import { authorOf } from '#server/modules/activations/step-author.ts'
import type { Call, Result } from '#server/operations/route.ts'

type GroupCall = Call<typeof overrideOperation | typeof deactivateOperation | typeof setOperation>

const UNMANAGED =
  'This license server is shared with customers that you do not manage. Take them out of the group first.'

/** Takes the customers that the caller does not manage out of the group, and tells them. */
export async function overrideCustomers(
  call: Call<typeof overrideOperation>,
): Promise<Result<typeof overrideOperation>> {
  const { group, host, members } = await lockGroup(call)
  const removed = members.filter(({ isManaged }) => !isManaged)
  await leaveGroup(authorOf(call), group, removed.map(numberOf))
  for (const member of removed) await mailRemoved(call, call.services, member, host)
  return { data: removed.map(toRemovedLine) }
}

/** Takes the customers that the caller manages out of the group; others keep sharing. */
export async function deactivateSharedServer(
  call: Call<typeof deactivateOperation>,
): Promise<Result<typeof deactivateOperation>> {
  const { group, members } = await lockGroup(call)
  const removed = members.filter(({ isManaged }) => isManaged)
  await leaveGroup(authorOf(call), group, removed.map(numberOf))
  return { data: removed.map(toRemovedLine) }
}

export async function setSharedServer(call: Call<typeof setOperation>): Promise<Result<typeof setOperation>> {
  const { actor, body, db, standing } = call
  const wanted = [...new Set(body.group)]
  if (!wanted.includes(standing.customerNumber))
    throw new HttpError(400, `The group must include ${standing.customerNumber}`)
  const { group, members } = await lockGroup(call)
  const wantedMembers = await toMembers(db, actor, wanted)
  await refuseForeign(call, wanted, wantedMembers, new Set(group.members))
  if (members.some(({ customerNumber, isManaged }) => !isManaged && !wanted.includes(customerNumber)))
    throw new BusinessRefusal('UNMANAGED_MEMBERS', UNMANAGED)
  const joining = wanted.filter((one) => !group.members.includes(one))
  await refuseSharedElsewhere(db, joining, wanted, group.machine)
  await replaceGroup(authorOf(call), group, wanted)
  return { data: wanted.length > 1 ? wantedMembers.map(toWireMember) : [] }
}

async function lockGroup({ actor, body, db, standing }: GroupCall) {
  const machine = readMachine(body.hostId, body.hostIdType)
  const host = await requireHost(db, standing.customerNumber, machine)
  await refuseBusyHost(db, host)
  await lockMachine(db, machine)
  const members = await loadGroup(db, actor, standing.customerNumber, machine)
  const group: LockedGroup = { serverId: body.hostId, machine, members: members.map(numberOf) }
  return { group, host, members }
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
