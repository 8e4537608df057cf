import type { Kysely } from 'kysely'
import { wireHostIdType } from '#contract/activations/hosts/host-fields.ts'
import { DEFAULT_PORT, type HostIdentity, hostParts, normalizedHost } from '#domain/activations/hosts/host.ts'
import { chooseAddedHost, hasSameName } from '#domain/activations/hosts/host-duplicates.ts'
import { parseHostIdType, readHostId } from '#domain/activations/hosts/host-id.ts'
import { hostState } from '#domain/activations/hosts/host-list.ts'
import { type HostCheck, hostError, serverIdError } from '#domain/activations/hosts/host-validity.ts'
import { busyText } from '#domain/activations/plans/host-plan.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import {
  findHost,
  type HostRow,
  loadHostUse,
  type Machine,
  type NamedHost,
} from '#server/modules/activations/hosts/hosts.queries.ts'
import { isBusy } from '#server/modules/activations/plans/host-plans.queries.ts'

/** Reads the machine from `serverId` alone, whose form tells its type, or from `hostId` and `hostIdType`. */
export function readMachine(serverId: string, serverIdType?: string): Machine {
  const ids = hostParts(serverId)
  const type = serverIdType ?? ids.map((id) => readHostId(id).type).join(',')
  const host = normalizedHost({ serverName: '', serverId, serverIdType: type })
  const error = serverIdError(host, 'add')
  if (error !== undefined) throw new HttpError(400, error)
  return machineOf(host)
}

export function readHost(named: HostIdentity & { readonly portNumber?: number }, check: HostCheck = 'add'): NamedHost {
  const host = normalizedHost(named)
  const error = hostError(host, check)
  if (error !== undefined) throw new HttpError(400, error)
  return {
    ...machineOf(host),
    hostId: host.serverId,
    hostName: host.serverName,
    port: named.portNumber ?? DEFAULT_PORT,
  }
}

function machineOf({ serverId, serverIdType }: HostIdentity): Machine {
  const hostIdType = parseHostIdType(hostParts(serverIdType)[0] ?? '')
  if (!hostIdType) throw new Error(`${serverIdType} was not checked`)
  return { hostIdType, machineId: hostParts(serverId).sort().join(',') }
}

export function toNamedHost(row: HostRow): NamedHost {
  const { host_id_type, machine_id, host_id, host_name, port } = row
  return { hostIdType: host_id_type, machineId: machine_id, hostId: host_id, hostName: host_name, port }
}

/** The host as calls name it. */
export function toHostIdentity(row: Pick<HostRow, 'host_name' | 'host_id' | 'host_id_type'>): HostIdentity {
  return identityOf({ hostName: row.host_name, hostId: row.host_id, hostIdType: row.host_id_type })
}

export function identityOf({
  hostName,
  hostId,
  hostIdType,
}: Pick<NamedHost, 'hostName' | 'hostId' | 'hostIdType'>): HostIdentity {
  return { serverName: hostName, serverId: hostId, serverIdType: wireHostIdType(hostId, hostIdType) }
}

/** The host of the account itself, also a deleted one: its history stays. */
export async function requireKnownHost(db: Kysely<DB>, customerNumber: string, machine: Machine): Promise<HostRow> {
  const host = await findHost(db, customerNumber, machine)
  if (!host) throw noSuchHost(machine)
  return host
}

/** The host of the account itself: another customer's machine, or a deleted one, does not exist for this call. */
export async function requireHost(db: Kysely<DB>, customerNumber: string, machine: Machine): Promise<HostRow> {
  const host = await findHost(db, customerNumber, machine)
  if (!host || host.removed_at) throw noSuchHost(machine)
  return host
}

export const noSuchHost = ({ machineId }: Machine) =>
  new HttpError(404, `This account has no license server ${machineId}`)

/** Refuses a host that a plan is changing, until the plan is done. */
export async function refuseBusyHost(db: Kysely<DB>, host: HostRow): Promise<void> {
  if (await isBusy(db, { customerNumber: host.customer_number, machine: toNamedHost(host) }))
    throw new BusinessRefusal('HOST_BUSY', busyText(toHostIdentity(host)))
}

/** A known machine under another name is a mistake, unless the account no longer uses the machine. */
export async function refuseOtherName(db: Kysely<DB>, host: HostRow, named: HostIdentity): Promise<void> {
  const known = toHostIdentity(host)
  if (hasSameName(known, named)) return
  const state = hostState(await loadHostUse(db, host))
  const choice = chooseAddedHost({ ...known, serverName: named.serverName }, [{ ...known, state }])
  if (choice.kind === 'refused') throw new BusinessRefusal('HOST_IN_USE', choice.message)
}
