import { Type } from 'typebox'
import type { HostIdType } from '#domain/entitlements/fulfillment.ts'

/** A triad joins three values by commas. What an id or its type must be is said by the server, for empty ones as well. */
const ServerName = Type.String({
  maxLength: 800,
  description: 'At most 255 characters; three names joined by commas for a triad',
  examples: ['lic-berlin-01'],
})
export const ServerId = Type.String({
  maxLength: 200,
  description: 'The host id, three of them joined by commas for a triad; prefixes and separators are accepted',
  examples: ['3cecef4b7d10'],
})
const ServerIdType = Type.String({
  maxLength: 100,
  description:
    'ETHERNET, DISK_SERIAL_NUM or FLEXID, or their codes (2 or E, 1 or D, 3 or F); three of them joined by commas for a triad',
  examples: ['ETHERNET'],
})

/** How calls about activations and license files name a host. */
export const serverFields = { serverName: ServerName, serverId: ServerId, serverIdType: ServerIdType }

/** How calls about shared servers name the same host. */
export const hostFields = { hostId: ServerId, hostIdType: ServerIdType }

/** On the wire a triad repeats everything three times, joined by commas: names, ids and the type as well. */
export function wireHostIdType(hostId: string, type: HostIdType): string {
  return hostId
    .split(',')
    .map(() => type)
    .join(',')
}
