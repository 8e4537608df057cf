import { type HostIdentity, hostParts } from '#domain/activations/hosts/host.ts'
import { normalizedHostId, parseHostIdType } from '#domain/activations/hosts/host-id.ts'
import { hostNameError, printable } from '#domain/activations/hosts/host-name.ts'
import type { HostIdType } from '#domain/entitlements/fulfillment.ts'

const ID_NOT_DEFINED = 'Server id is not defined'
const TYPE_NOT_DEFINED = 'Server id type is not defined'
const MIXED_TRIAD = 'Triad servers must all be the same host id type'
const REPEATED_TRIAD_ID = 'Triad servers must have three different host ids'
const UNEQUAL_TYPES = 'The number of server id types must match the number of server ids'
const UNEQUAL_NAMES = 'The number of host names must match the number of server ids'

const FORM: Readonly<Record<HostIdType, { readonly pattern: RegExp; readonly hint: string }>> = {
  ETHERNET: { pattern: /^[0-9a-f]{12}$/, hint: 'It must have 12 hexadecimal digits (0-9, a-f, A-F).' },
  DISK_SERIAL_NUM: {
    pattern: /^[0-9a-f]{8}$/,
    hint: 'It must have 8 hexadecimal digits (0-9, a-f, A-F). Check for missing characters and add leading zeroes.',
  },
  FLEXID: { pattern: /^9-[0-9a-f]{8}$/, hint: "It must be '9-' followed by 8 hexadecimal digits (0-9, a-f, A-F)." },
}

/** The rehost check has its own text for an unknown type. */
export type HostCheck = 'add' | 'rehost'

/** What is wrong with a host; undefined means that it can be added. */
export function hostError(host: HostIdentity, check: HostCheck = 'add'): string | undefined {
  return serverIdError(host, check) ?? serverNameError(host)
}

/** What is wrong with the ids of a host. Names are not checked. */
export function serverIdError({ serverId, serverIdType }: HostIdentity, check: HostCheck): string | undefined {
  const [ids, types] = [hostParts(serverId), hostParts(serverIdType)]
  if (ids.length === 0) return ID_NOT_DEFINED
  if (types.length === 0) return TYPE_NOT_DEFINED
  if (ids.length !== 1 && ids.length !== 3) return notSingleOrTriad(serverId)
  if (ids.length !== types.length) return UNEQUAL_TYPES
  if (ids.includes('')) return ID_NOT_DEFINED
  if (types.includes('')) return TYPE_NOT_DEFINED
  if (new Set(types.map((type) => parseHostIdType(type) ?? type)).size > 1) return MIXED_TRIAD
  const type = types[0] ?? ''
  const error = ids.map((id) => hostIdError(id, type, check)).find((found) => found !== undefined)
  return error ?? repeatedIdError(ids, type)
}

/** The error of a single id, which the form shows next to its field. */
export function hostIdError(id: string, type: string, check: HostCheck = 'add'): string | undefined {
  if (id.trim() === '') return ID_NOT_DEFINED
  if (type.trim() === '') return TYPE_NOT_DEFINED
  const known = parseHostIdType(type)
  if (!known) return `${check === 'rehost' ? 'Invalid server id type' : 'Unsupported host id type'}: ${printable(type)}`
  const { pattern, hint } = FORM[known]
  return pattern.test(normalizedHostId(id, known)) ? undefined : `Invalid ${known} server id: ${printable(id)}. ${hint}`
}

export function notSingleOrTriad(serverId: string): string {
  return `Server id ${printable(serverId)} is not a single or triad server`
}

function repeatedIdError(ids: readonly string[], type: string): string | undefined {
  const known = parseHostIdType(type)
  const distinct = new Set(ids.map((id) => (known ? normalizedHostId(id, known) : id)))
  return distinct.size < ids.length ? REPEATED_TRIAD_ID : undefined
}

function serverNameError({ serverName, serverId }: HostIdentity): string | undefined {
  const names = hostParts(serverName)
  const error = (names.length ? names : ['']).map(hostNameError).find((found) => found !== undefined)
  return error ?? (names.length === hostParts(serverId).length ? undefined : UNEQUAL_NAMES)
}
