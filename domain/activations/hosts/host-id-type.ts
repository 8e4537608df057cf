import { HOST_ID_TYPES, type HostIdType } from '#domain/entitlements/fulfillment.ts'

/** What an ethernet id is called on screen. */
const MAC_ADDRESS = 'MAC_ADDRESS'

const TYPE_OF_CODE: ReadonlyMap<string, HostIdType> = new Map<string, HostIdType>([
  ...HOST_ID_TYPES.map((type) => [type, type] as const),
  [MAC_ADDRESS, 'ETHERNET'],
  ['1', 'DISK_SERIAL_NUM'],
  ['D', 'DISK_SERIAL_NUM'],
  ['2', 'ETHERNET'],
  ['E', 'ETHERNET'],
  ['3', 'FLEXID'],
  ['F', 'FLEXID'],
])

/** Reads a code or a full name, in any case; undefined if there is no such type. */
export function parseHostIdType(text: string): HostIdType | undefined {
  return TYPE_OF_CODE.get(text.trim().toUpperCase())
}

export function displayedHostIdType(type: HostIdType): string {
  return type === 'ETHERNET' ? MAC_ADDRESS : type
}
