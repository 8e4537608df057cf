import { type Host, type HostIdentity, hostParts, isTriad } from '#domain/activations/hosts/host.ts'
import { chooseAddedHost, type HostChoice } from '#domain/activations/hosts/host-duplicates.ts'
import { type HostFormRow, hostOfRows, rowErrors } from '#domain/activations/hosts/host-form.ts'
import { displayedHostIdType } from '#domain/activations/hosts/host-id.ts'
import { isPlaceholderHostName } from '#domain/activations/hosts/host-name.ts'
import { hostError } from '#domain/activations/hosts/host-validity.ts'
import { HOST_ID_TYPES } from '#domain/entitlements/fulfillment.ts'
import type { Errors, Fields } from '#web/form/fields.ts'

/** The three rows of the dialog in one piece; a single host uses the first. */
export type HostValues = {
  isTriad: boolean
  name0: string
  id0: string
  type0: string
  name1: string
  id1: string
  type1: string
  name2: string
  id2: string
  type2: string
}

export const NEW_HOST: HostValues = {
  isTriad: false,
  name0: '',
  id0: '',
  type0: 'ETHERNET',
  name1: '',
  id1: '',
  type1: 'ETHERNET',
  name2: '',
  id2: '',
  type2: 'ETHERNET',
}

const label = (what: string, row: number) => ({ label: `${what} ${row + 1}` })

export const HOST_FIELDS: Fields<HostValues> = {
  isTriad: { label: 'Triad' },
  name0: label('Host Name', 0),
  id0: label('Host ID', 0),
  type0: label('Host ID Type', 0),
  name1: label('Host Name', 1),
  id1: label('Host ID', 1),
  type1: label('Host ID Type', 1),
  name2: label('Host Name', 2),
  id2: label('Host ID', 2),
  type2: label('Host ID Type', 2),
}

export const HOST_ROWS = [0, 1, 2] as const
export type HostRow = (typeof HOST_ROWS)[number]

export const HOST_TYPE_OPTIONS = HOST_ID_TYPES.map((value) => ({ value, label: displayedHostIdType(value) }))

export function rowsOfValues(values: HostValues): HostFormRow[] {
  const rows = HOST_ROWS.map((row) => ({
    name: values[`name${row}`],
    id: values[`id${row}`],
    type: values[`type${row}`],
  }))
  return values.isTriad ? rows : rows.slice(0, 1)
}

/** What an uploaded license file fills in. Names such as "this_host" stand for any computer and are left to fill in. */
export function valuesOfRows(rows: readonly HostFormRow[]): HostValues {
  const filled = rows.map(({ name, id, type }, row) => ({
    [`name${row}`]: isPlaceholderHostName(name) ? '' : name,
    [`id${row}`]: id,
    [`type${row}`]: type || 'ETHERNET',
  }))
  return Object.assign({ ...NEW_HOST, isTriad: rows.length > 1 }, ...filled)
}

/** The fields of a host that is known. */
export function valuesOfHost({ serverName, serverId, serverIdType }: HostIdentity): HostValues {
  const [names, ids, types] = [serverName, serverId, serverIdType].map(hostParts) as [string[], string[], string[]]
  return valuesOfRows(ids.map((id, row) => ({ name: names[row] ?? '', id, type: types[row] ?? '' })))
}

/** An empty form with the id types of the source: most rehosts go to the same kind of license server. */
export function valuesForRehost(source: HostIdentity): HostValues {
  const [type0 = NEW_HOST.type0, type1 = type0, type2 = type0] = hostParts(source.serverIdType)
  return { ...NEW_HOST, isTriad: isTriad(source), type0, type1, type2 }
}

/** Puts pasted rows into the form: three fill a triad, one fills the row that it was pasted into. Names that were typed stay. */
export function valuesWithPasted(values: HostValues, pasted: readonly HostFormRow[], into: HostRow): HostValues {
  const filled = pasted.map(({ name, id, type }, index) => {
    const row = pasted.length > 1 ? index : into
    return { ...(name && { [`name${row}`]: name }), [`id${row}`]: id, [`type${row}`]: type }
  })
  return Object.assign({ ...values, isTriad: values.isTriad || pasted.length > 1 }, ...filled)
}

/** Errors of each field, then those of the host as a whole, which are shown at the first id. */
export function hostFormErrors(values: HostValues, known: readonly Host[], choose = chooseAddedHost): Errors {
  const rows = rowsOfValues(values)
  const errors = rows.flatMap((row, index) => {
    const { name, id } = rowErrors(row)
    return [name && [`name${index}`, name], id && [`id${index}`, id]].filter((one) => one !== undefined)
  })
  if (errors.some(Boolean)) return Object.fromEntries(errors.filter(Boolean) as [string, string][])
  const host = hostOfRows(rows)
  const wrong = hostError(host) ?? refusalOf(choose(host, known))
  return wrong ? { id0: wrong } : {}
}

const refusalOf = (choice: HostChoice) => (choice.kind === 'refused' ? choice.message : undefined)
