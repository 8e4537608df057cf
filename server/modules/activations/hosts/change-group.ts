import type {
  deactivateSharedServer as deactivateOperation,
  overrideCustomers as overrideOperation,
  setSharedServer as setOperation,
} from '#contract/activations/hosts/shared-server.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { refusedMembers } from '#domain/activations/hosts/shared-server.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { listAdministrators } from '#server/modules/accounts/accounts.public.ts'
import { refuseBusyHost } from '#server/modules/activations/hosts/busy-host.ts'
import {
  loadGroup,
  type Member,
  requireHost,
  toMembers,
  toWireMember,
} from '#server/modules/activations/hosts/group-members.ts'
import type { HostRow, Machine } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine } from '#server/modules/activations/hosts/named-host.ts'
import { removedMail } from '#server/modules/activations/hosts/removed-mail.ts'
import { deleteMembers, lockMachine, saveGroup } from '#server/modules/activations/hosts/shared-server.queries.ts'
import { queueMail } from '#server/modules/messages/messages.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

type GroupCall = Call<typeof overrideOperation | typeof deactivateOperation | typeof setOperation>

const SHARED_ELSEWHERE = 'shares this license server with other customers already. Take it out of that group first.'
const UNMANAGED =
  'This license server is shared with customers that you do not manage. Take them out of the group first.'

/** Takes the customers that the caller does not manage out of the group, and tells them. */
export async function overrideCustomers(
  call: Call<typeof overrideOperation>,
): Promise<Result<typeof overrideOperation>> {
  const { machine, host, members } = await lockGroup(call)
  const removed = members.filter(({ isManaged }) => !isManaged)
  await removeMembers(call, machine, members, removed)
  for (const member of removed) await mailRemoved(call, member, host)
  return { data: removed.map(toRemovedLine) }
}

/** Takes the customers that the caller manages out of the group; others keep sharing. */
export async function deactivateSharedServer(
  call: Call<typeof deactivateOperation>,
): Promise<Result<typeof deactivateOperation>> {
  const { machine, members } = await lockGroup(call)
  const removed = members.filter(({ isManaged }) => isManaged)
  await removeMembers(call, machine, members, removed)
  return { data: removed.map(toRemovedLine) }
}

export async function setSharedServer(call: Call<typeof setOperation>): Promise<Result<typeof setOperation>> {
  const { actor, body, db, now, standing } = call
  const group = [...new Set(body.group)]
  if (!group.includes(standing.customerNumber))
    throw new HttpError(400, `The group must include ${standing.customerNumber}`)
  const { machine, members } = await lockGroup(call)
  const current = members.map(({ customerNumber }) => customerNumber)
  const wanted = await toMembers(db, actor, group)
  await refuseForeign(call, group, wanted, new Set(current))
  if (members.some(({ customerNumber, isManaged }) => !isManaged && !group.includes(customerNumber)))
    throw new BusinessRefusal('UNMANAGED_MEMBERS', UNMANAGED)
  for (const { customerNumber } of wanted.filter((one) => !current.includes(one.customerNumber))) {
    const others = await loadGroup(db, actor, customerNumber, machine)
    if (others.some((other) => !group.includes(other.customerNumber)))
      throw new BusinessRefusal('SHARED_ELSEWHERE', `Customer ${customerNumber} ${SHARED_ELSEWHERE}`)
  }
  const isSame = current.length === group.length && current.every((one) => group.includes(one))
  if (!isSame) {
    await deleteMembers(db, current, machine)
    if (group.length > 1) await saveGroup(db, group, machine, { email: actor.email, now })
    await auditGroup(call, new Set([...current, ...group]), current, group.length > 1 ? group : [])
  }
  return { data: group.length > 1 ? wanted.map(toWireMember) : [] }
}

async function lockGroup({ actor, body, db, standing }: GroupCall) {
  const machine = readMachine(body.hostId, body.hostIdType)
  const host = await requireHost(db, standing.customerNumber, machine)
  await refuseBusyHost(db, host)
  await lockMachine(db, machine)
  return { machine, host, members: await loadGroup(db, actor, standing.customerNumber, machine) }
}

/** A group of one is none. */
async function removeMembers(
  call: GroupCall,
  machine: Machine,
  members: readonly Member[],
  removed: readonly Member[],
): Promise<void> {
  if (removed.length === 0) return
  const left = members.filter((member) => !removed.includes(member)).map(numberOf)
  const gone = left.length > 1 ? removed : members
  await deleteMembers(call.db, gone.map(numberOf), machine)
  await auditGroup(call, new Set(members.map(numberOf)), members.map(numberOf), left.length > 1 ? left : [])
}

/** Each customer of the group finds the change in the log of its own account. */
async function auditGroup(
  call: GroupCall,
  accounts: ReadonlySet<string>,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const target = call.body.hostId
  for (const customerNumber of accounts) await call.audit({ customerNumber, target, before, after })
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

async function mailRemoved({ db, services, standing }: GroupCall, member: Member, host: HostRow): Promise<void> {
  const administrators = await listAdministrators(db, member.customerNumber)
  if (administrators.length === 0) return
  const mail = removedMail(member, host, standing.customerNumber, services.config)
  // Nobody can do this to the same customer at will: somebody who manages that account must share the server again first.
  await queueMail(db, services, { ...mail, to: administrators }, 'no limit')
}

const numberOf = ({ customerNumber }: Member) => customerNumber
const toRemovedLine = ({ customerNumber }: Member) => ({ customerNumber, status: 'SUCCESS' as const })
