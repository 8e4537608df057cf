import type { UploadedServer } from '#domain/activations/hosts/host-form.ts'
import { isSupportedPrefix, licenseHostId, readHostId } from '#domain/activations/hosts/host-id.ts'
import { hostNameError, printable } from '#domain/activations/hosts/host-name.ts'
import { hostIdError, notSingleOrTriad, serverIdError } from '#domain/activations/hosts/host-validity.ts'
import { decodeFile } from '#domain/activations/license-files/license-bytes.ts'
import { licenseFileExcess } from '#domain/activations/license-files/license-limits.ts'
import {
  foreignTextKind,
  isFeature,
  type LicenseLine,
  licenseLines,
} from '#domain/activations/license-files/license-lines.ts'

/** The license server that a file names, or why there is none, in words for the person who uploaded it. */
export type LicenseReading =
  | {
      readonly kind: 'read'
      readonly server: UploadedServer
      /** Null if the file names no port. */
      readonly port: number | null
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | TooLarge

/** Larger than any license file can be. */
export type TooLarge = { readonly kind: 'too large'; readonly reason: string }

const ADVICE = 'Upload the license file of a license server, for example license.lic.'
const NOT_SUPPORTED =
  'which is not supported. Supported are Ethernet addresses, disk serial numbers and FLEXID dongles that start with 9-.'

export function readLicenseFile(input: Uint8Array | string): LicenseReading {
  const file = decodeFile(input)
  if (file.kind === 'other') return refused(`This is ${file.what}, not a license file. ${ADVICE}`)
  const excess = licenseFileExcess(file.text)
  if (excess !== undefined) return { kind: 'too large', reason: excess }
  const lines = licenseLines(file.text)
  const kind = foreignTextKind(file.text, lines)
  if (kind !== undefined) return refused(`This is ${kind}, not a license file. ${ADVICE}`)
  const servers = distinctServers(lines)
  if (servers.length === 0) return refused(noServer(lines))
  const error = serverError(servers, lines)
  return error === undefined ? { kind: 'read', server: uploaded(servers), port: portOf(servers) } : refused(error)
}

type Server = {
  readonly name: string
  readonly rawId: string
  /** The port as written; options such as PRIMARY_IS_MASTER may stand in its place. */
  readonly port: string | undefined
  readonly line: number
}

const SERVER_OPTION = /^(?:PRIMARY_IS_MASTER$|[A-Z_]+=)/i

/** Combined files repeat their SERVER lines: the same host with the same id counts once. */
function distinctServers(lines: readonly LicenseLine[]): Server[] {
  const servers = new Map<string, Server>()
  for (const { keyword, words, number } of lines) {
    if (keyword !== 'SERVER') continue
    const [, name = '', rawId = '', fourth = ''] = words
    const port = fourth === '' || SERVER_OPTION.test(fourth) ? undefined : fourth
    const key = `${name.toLowerCase()} ${licenseHostId(readHostId(rawId))}`
    if (!servers.has(key)) servers.set(key, { name, rawId, port, line: number })
  }
  return [...servers.values()]
}

function noServer(lines: readonly LicenseLine[]): string {
  if (lines.some(isFeature))
    return `This license file has no SERVER line: its licenses are locked to single computers. ${ADVICE}`
  return `This file has no SERVER line, so it is not a license file. ${ADVICE}`
}

function serverError(servers: readonly Server[], lines: readonly LicenseLine[]): string | undefined {
  if (isProse(servers, lines)) return noServer([])
  const host = uploaded(servers)
  if (host.numServers !== 1 && host.numServers !== 3) return notSingleOrTriad(host.serverId)
  const form = servers.map(({ rawId }) => unsupportedForm(rawId)).find((found) => found !== undefined)
  if (form !== undefined) return `The SERVER line has a host id of the form ${printable(form)}, ${NOT_SUPPORTED}`
  return serverIdError(host, 'add') ?? nameError(servers) ?? portError(servers)
}

/** A sentence may begin with "Server", too: nothing else in the file is a license line then, and what stands for an id is a word. */
function isProse(servers: readonly Server[], lines: readonly LicenseLine[]): boolean {
  const isAlone = lines.every(({ keyword }) => keyword === undefined || keyword === 'SERVER')
  return isAlone && servers.every(({ rawId }) => /^\D+$/.test(rawId) && !isHostId(rawId))
}

/** A usable id, or one of a form that license files know. */
function isHostId(rawId: string): boolean {
  const { type, id } = readHostId(rawId)
  return hostIdError(id, type) === undefined || unsupportedForm(rawId) !== undefined
}

/** The error that the form would show. */
function nameError(servers: readonly Server[]): string | undefined {
  const found = servers.find(({ name }) => hostNameError(name) !== undefined)
  return (
    found && `Line ${found.line}: the host name ${printable(found.name)} cannot be used. ${hostNameError(found.name)}`
  )
}

function portError(servers: readonly Server[]): string | undefined {
  const found = servers.find(({ port }) => port !== undefined && portNumber(port) === undefined)
  return found && `Line ${found.line}: the port ${printable(found.port ?? '')} is not a number from 1 to 65535.`
}

function portNumber(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

function uploaded(servers: readonly Server[]): UploadedServer {
  const readings = servers.map(({ rawId }) => readHostId(rawId))
  return {
    serverName: servers.map(({ name }) => name).join(','),
    serverId: readings.map(({ id }) => id).join(','),
    serverIdType: readings.map(({ type }) => type).join(','),
    quorum: servers.length > 1,
    numServers: servers.length,
  }
}

function portOf([first]: readonly Server[]): number | null {
  return portNumber(first?.port ?? '') ?? null
}

function refused(reason: string): LicenseReading {
  return { kind: 'refused', reason }
}

/** Dongles of other makes, with their prefix or without it. */
const OTHER_DONGLE = /^(?:FLEXID=(?<prefixed>6|7|8|10|A|FILE)-|(?<bare>6|7|8|10|A)-[0-9a-f]{8}$)/i

/** The form of a host id that license files know and this portal does not, for example ANY, HOSTNAME= or FLEXID=7-. */
function unsupportedForm(rawId: string): string | undefined {
  const id = rawId.replaceAll('"', '')
  if (/^(?:any|demo)$/i.test(id)) return id.toUpperCase()
  if (/^#\d+$/.test(id) && readHostId(id).type !== 'DISK_SERIAL_NUM') return `${id} (decimal)`
  const { prefixed, bare } = OTHER_DONGLE.exec(id)?.groups ?? {}
  const make = prefixed ?? bare
  if (make !== undefined) return `FLEXID=${make.toUpperCase()}-`
  const prefix = /^([a-z_][\w.]*)=/i.exec(id)?.[1]
  return prefix && !isSupportedPrefix(prefix) ? `${prefix.toUpperCase()}=` : undefined
}
