import { DEFAULT_PORT, type HostIdentity, hostParts, normalizedHost } from '#domain/activations/hosts/host.ts'
import { readHostId } from '#domain/activations/hosts/host-id.ts'
import { parseHostIdType } from '#domain/activations/hosts/host-id-type.ts'
import { type HostCheck, hostError, serverIdError } from '#domain/activations/hosts/host-validity.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { Machine, NamedHost } from '#server/modules/activations/hosts/hosts.queries.ts'

/** The machine in `serverId` alone, whose form tells its type, or in `hostId` and `hostIdType`. */
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
