import { type HostIdentity, hostParts, normalizedHost } from '#domain/activations/hosts/host.ts'
import { readHostId } from '#domain/activations/hosts/host-id.ts'
import { hostNameError } from '#domain/activations/hosts/host-name.ts'
import { hostIdError } from '#domain/activations/hosts/host-validity.ts'

/** One row of the Add New Host dialog; a triad has three. */
export type HostFormRow = { readonly name: string; readonly id: string; readonly type: string }

/** The license server that an uploaded license file names. */
export type UploadedServer = HostIdentity & { readonly quorum: boolean; readonly numServers: number }

/** Three names, ids and types are a triad; so is a quorum of more than one server, whose missing fields are left to fill in. */
export function isTriadUpload({ serverName, serverId, serverIdType, quorum, numServers }: UploadedServer): boolean {
  const isThreefold = [serverName, serverId, serverIdType].every((text) => hostParts(text).length === 3)
  return isThreefold || (quorum && numServers > 1)
}

export function uploadedRows(upload: UploadedServer): HostFormRow[] {
  const [names, ids, types] = [upload.serverName, upload.serverId, upload.serverIdType].map(hostParts)
  return Array.from({ length: isTriadUpload(upload) ? 3 : 1 }, (_, index) => ({
    name: names?.[index] ?? '',
    id: ids?.[index] ?? '',
    type: types?.[index] ?? '',
  }))
}

/** The host that the filled rows describe. */
export function hostOfRows(rows: readonly HostFormRow[]): HostIdentity {
  return normalizedHost({
    serverName: rows.map(({ name }) => name.trim()).join(','),
    serverId: rows.map(({ id }) => id.trim()).join(','),
    serverIdType: rows.map(({ type }) => type.trim()).join(','),
  })
}

/** What is wrong in each field of a row; a field without an error is absent. */
export function rowErrors({ name, id, type }: HostFormRow): { name?: string; id?: string } {
  const [nameError, idError] = [hostNameError(name), hostIdError(id, type)]
  return { ...(nameError ? { name: nameError } : {}), ...(idError ? { id: idError } : {}) }
}

/** The type that the form of an id tells, unless it is an id of the chosen type, or of none. */
export function recognizedType(id: string, chosen: string): string {
  if (hostIdError(id, chosen) === undefined) return chosen
  const { id: read, type } = readHostId(id)
  return hostIdError(read, type) === undefined ? type : chosen
}
