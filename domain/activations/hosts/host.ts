import { displayedHostIdType, normalizedHostId, parseHostIdType } from '#domain/activations/hosts/host-id.ts'
import { normalizedHostName } from '#domain/activations/hosts/host-name.ts'

/** A license server. A triad is three names, three ids and three types, joined by commas, the primary first. */
export type HostIdentity = {
  readonly serverName: string
  readonly serverId: string
  readonly serverIdType: string
}

export const HOST_STATES = ['Active', 'Inactive', 'Unknown'] as const
export type HostState = (typeof HOST_STATES)[number]
export type Host = HostIdentity & { readonly state: HostState }

/** The port of a license server that names none. */
export const DEFAULT_PORT = 1055

/** Splits what a triad joins. An empty text has no parts. */
export function hostParts(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim())
}

export function isTriad({ serverId }: Pick<HostIdentity, 'serverId'>): boolean {
  return hostParts(serverId).length === 3
}

/**
 * The host in its stored form: full type names, ids in lower case without separators. Unreadable parts stay as they
 * were.
 */
export function normalizedHost({ serverName, serverId, serverIdType }: HostIdentity): HostIdentity {
  const types = hostParts(serverIdType).map((type) => parseHostIdType(type) ?? type)
  const ids = hostParts(serverId).map((id, index) => {
    const type = parseHostIdType(types[index] ?? '')
    return type ? normalizedHostId(id, type) : id.toLowerCase()
  })
  return {
    serverName: hostParts(serverName).map(normalizedHostName).join(','),
    serverId: ids.join(','),
    serverIdType: types.join(','),
  }
}

/** The page of a license server. The form of an id tells its type, so that the id alone names a host of an account. */
export function licenseServerPath(serverId: string): string {
  return `/license-servers/${hostParts(serverId).map(encodeURIComponent).join(',')}`
}

/** Who may use its seats, by vendor daemon. */
export const optionsFilesPath = (serverId: string): string => `${licenseServerPath(serverId)}/options`

/** The host id as people see it, for example MAC_ADDRESS=3cecef4b7d10. */
export function hostIdLabel({ serverId, serverIdType }: Pick<HostIdentity, 'serverId' | 'serverIdType'>): string {
  const type = parseHostIdType(hostParts(serverIdType)[0] ?? '')
  return type ? `${displayedHostIdType(type)}=${serverId}` : serverId
}
