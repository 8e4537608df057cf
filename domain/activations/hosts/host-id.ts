import { HOST_ID_TYPES, type HostIdType } from '#domain/entitlements/fulfillment.ts'

/** How each type is written in front of an id, in license files and by the tools that print host ids. */
const TYPE_OF_PREFIX: ReadonlyMap<string, HostIdType> = new Map<string, HostIdType>([
  ['DISK_SERIAL_NUM', 'DISK_SERIAL_NUM'],
  ['VSN', 'DISK_SERIAL_NUM'],
  ['FLEXID', 'FLEXID'],
  ['ETHERNET', 'ETHERNET'],
  ['ETHER', 'ETHERNET'],
  ['MAC_ADDRESS', 'ETHERNET'],
  ['MAC', 'ETHERNET'],
])

const PREFIXED = /^(?<prefix>[A-Za-z_]+)\s*=\s*(?<id>.*)$/s
const DISK_SERIAL = /^[0-9a-f]{4}-?[0-9a-f]{4}$/
/** Dongles of every make. Only those that start with 9- are supported; the others still read as dongles, so that the message fits. */
const DONGLE = /^(?:6|7|8|9|10|a)-[0-9a-f]{8}$/

export type HostIdReading = { readonly type: HostIdType; readonly id: string }

/** Some tools print a disk serial number as "#" and its value in decimal. */
const DECIMAL = /^#\d{1,10}$/
const MAX_DECIMAL = 0xffff_ffff

/** Reads an id whose type nobody named: from its prefix, else from its form, else it is an ethernet address. */
export function readHostId(raw: string): HostIdReading {
  const { type, body } = splitPrefix(raw)
  const inferred = type ?? inferredType(body)
  return { type: inferred, id: normalizedBody(inferred, body) }
}

/** The id as it is kept: lower case, no prefix, no separators. A prefix of another type stays and makes the id invalid. */
export function normalizedHostId(raw: string, type: HostIdType): string {
  const { type: prefixed, body } = splitPrefix(raw)
  if (prefixed !== undefined && prefixed !== type) return raw.trim().toLowerCase()
  return normalizedBody(type, body)
}

export function isSupportedPrefix(prefix: string): boolean {
  return TYPE_OF_PREFIX.has(prefix.toUpperCase())
}

/** The id as a license file writes it: an ethernet address needs no prefix. */
export function licenseHostId({ type, id }: HostIdReading): string {
  return type === 'ETHERNET' ? id : `${type}=${id}`
}

function splitPrefix(raw: string): { type: HostIdType | undefined; body: string } {
  const text = raw.trim().replace(/^"(.*)"$/s, '$1')
  const decimal = DECIMAL.test(text) ? Number(text.slice(1)) : undefined
  if (decimal !== undefined && decimal <= MAX_DECIMAL)
    return { type: 'DISK_SERIAL_NUM', body: decimal.toString(16).padStart(8, '0') }
  const { prefix, id } = PREFIXED.exec(text)?.groups ?? {}
  const type = TYPE_OF_PREFIX.get(prefix?.toUpperCase() ?? '')
  return { type, body: (type && id !== undefined ? id : text).trim().toLowerCase() }
}

function inferredType(body: string): HostIdType {
  if (DISK_SERIAL.test(body)) return 'DISK_SERIAL_NUM'
  return DONGLE.test(body) ? 'FLEXID' : 'ETHERNET'
}

function normalizedBody(type: HostIdType, body: string): string {
  if (type === 'ETHERNET') return normalizedEthernet(body)
  return type === 'DISK_SERIAL_NUM' && DISK_SERIAL.test(body) ? body.replace('-', '') : body
}

/** Six octets, whose leading zeroes may be missing (8:0:20:0:5:ac), or groups of 4 or 6 digits; anything else stays as it is. */
function normalizedEthernet(body: string): string {
  if (/^[0-9a-f]{1,2}(?:[-:. ][0-9a-f]{1,2}){5}$/.test(body))
    return body
      .split(/[-:. ]/)
      .map((octet) => octet.padStart(2, '0'))
      .join('')
  const isGrouped =
    /^[0-9a-f]{4}([-:. ])[0-9a-f]{4}\1[0-9a-f]{4}$/.test(body) || /^[0-9a-f]{6}[-:. ][0-9a-f]{6}$/.test(body)
  return isGrouped ? body.replace(/[-:. ]/g, '') : body
}

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
