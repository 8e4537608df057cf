import type { Kysely } from 'kysely'
import type {
  compareLicenseFiles as compareOperation,
  downloadLicense as downloadOperation,
  LicenseFile,
  listLicenseFiles as listOperation,
  getLicenseFile as textOperation,
} from '#contract/activations/license-files/license-files.ts'
import { can, EXPORT_DENIED } from '#domain/access/can.ts'
import type { Actor } from '#domain/access/standing.ts'
import { licenseDifference } from '#domain/activations/license-files/license-difference.ts'
import { licenseFileName } from '#domain/activations/license-files/license-file.ts'
import { noDaemonsError } from '#domain/activations/seats/activation-error.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { findStandings, type KnownAccount } from '#server/modules/accounts/accounts.public.ts'
import { loadGroup, type Member } from '#server/modules/activations/hosts/group-members.ts'
import { findHost, type HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost, readMachine, requireHost } from '#server/modules/activations/hosts/named-host.ts'
import {
  findFile,
  findLastFile,
  type LicenseFileRow,
  listFiles,
} from '#server/modules/activations/license-files/license-files.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

export const NO_FILE = 'No license file has been generated for this license server yet.'

/** The last file of a host, and the state of each customer that shares the server. */
export async function downloadLicense(call: Call<typeof downloadOperation>): Promise<Result<typeof downloadOperation>> {
  const { actor, body, db, standing } = call
  const machine = readHost(body)
  const host = await requireHost(db, standing.customerNumber, machine)
  const { file, text, customers } = await requireLastFile(db, actor, host)
  const group = await loadGroup(db, actor, standing.customerNumber, machine)
  const seen = group.filter(({ isSeen, customerNumber }) => isSeen || customers.includes(customerNumber))
  await call.audit({ target: host.host_id, after: { id: file.id, server: host.host_name } })
  return {
    data: seen.length
      ? seen.map((member) => toLine(member, customers, host))
      : customers.map((customerNumber) => ({ customerNumber, status: 'SUCCESS' as const })),
    licenseText: text,
    licenseFileName: file.licenseFileName,
    file,
  }
}

function toLine({ customerNumber, isApproved }: Member, customers: readonly string[], host: HostRow) {
  if (customers.includes(customerNumber)) return { customerNumber, status: 'SUCCESS' as const }
  const refusal = isApproved
    ? { code: 'NO_LICENSES' as const, err: noDaemonsError(host.host_id) }
    : { code: 'EXPORT_DENIED' as const, err: EXPORT_DENIED }
  return { customerNumber, status: 'FAILURE' as const, ...refusal }
}

export async function listLicenseFiles(call: Call<typeof listOperation>): Promise<Result<typeof listOperation>> {
  const { actor, body, db, standing } = call
  const host = await findHost(db, standing.customerNumber, readMachine(body.serverId))
  // A host that is new in the browser has no files.
  const rows = host ? await listFiles(db, host) : []
  const files = await toVisibleFiles(db, actor, rows)
  return { data: files.map(({ file }) => file) }
}

export async function getLicenseFile(call: Call<typeof textOperation>): Promise<Result<typeof textOperation>> {
  const { actor, body, db, standing } = call
  const { file, text } = await requireFile(db, actor, standing.customerNumber, body.id)
  await call.audit({ target: file.licenseFileName, after: { id: file.id } })
  return { data: file, licenseText: text }
}

export async function compareLicenseFiles(
  call: Call<typeof compareOperation>,
): Promise<Result<typeof compareOperation>> {
  const { actor, body, db, standing } = call
  const before = await requireFile(db, actor, standing.customerNumber, body.before)
  const after = await requireFile(db, actor, standing.customerNumber, body.after)
  await call.audit({ target: after.file.licenseFileName, after: { ids: [before.file.id, after.file.id] } })
  return { data: toWireDifference(before.text, after.text) }
}

export function toWireDifference(before: string, after: string): Result<typeof compareOperation>['data'] {
  const { entries, summary } = licenseDifference(before, after)
  return { entries: entries.map(({ kind, lines }) => ({ kind, lines: [...lines] })), summary: { ...summary } }
}

export async function requireLastFile(db: Kysely<DB>, actor: Actor, host: HostRow): Promise<VisibleFile> {
  const file = await findVisibleLastFile(db, actor, host)
  if (!file) throw new BusinessRefusal('NO_LICENSE_FILE', NO_FILE)
  return file
}

export async function findVisibleLastFile(
  db: Kysely<DB>,
  actor: Actor,
  host: HostRow,
): Promise<VisibleFile | undefined> {
  const row = await findLastFile(db, host)
  const [file] = await toVisibleFiles(db, actor, row ? [row] : [])
  return file
}

/** The text of the last file of a license server as a person may see it; undefined if there is none. */
export async function findLicenseText(
  db: Kysely<DB>,
  actor: Actor,
  customerNumber: string,
  serverId: string,
): Promise<string | undefined> {
  const host = await findHost(db, customerNumber, readMachine(serverId))
  return host && (await findVisibleLastFile(db, actor, host))?.text
}

async function requireFile(db: Kysely<DB>, actor: Actor, customerNumber: string, id: string): Promise<VisibleFile> {
  const row = await findFile(db, customerNumber, id)
  const [file] = await toVisibleFiles(db, actor, row ? [row] : [])
  if (!file) throw new HttpError(404, 'There is no such license file')
  return file
}

async function toVisibleFiles(db: Kysely<DB>, actor: Actor, rows: readonly LicenseFileRow[]): Promise<VisibleFile[]> {
  if (rows.length === 0) return []
  const accounts = await findStandings(db, actor.email, [...new Set(rows.flatMap(({ customers }) => customers))])
  return rows.map((row) => toVisibleFile(row, actor, accounts))
}

/** A license file as somebody may see it. */
export type VisibleFile = { readonly file: LicenseFile; readonly text: string; readonly customers: readonly string[] }

/**
 * A person who does not see all customers of a shared file gets only the licenses of the customer that the call is
 * about.
 */
export function toVisibleFile(
  row: LicenseFileRow,
  actor: Actor,
  accounts: ReadonlyMap<string, KnownAccount>,
): VisibleFile {
  const isSeen = row.customers.every((number) => can(actor, 'account.read', accounts.get(number)?.standing).allowed)
  return toWholeFile(isSeen ? row : { ...row, shared_text: null })
}

/** The file with all customers, for a person who may see them all. */
export function toWholeFile(row: LicenseFileRow): VisibleFile {
  const shared = row.shared_text
  const text = shared ?? row.own_text
  return {
    text,
    customers: shared === null ? [row.customer_number] : row.customers,
    file: {
      id: row.file_id,
      licenseFileName: licenseFileName(row.customer_number, { serverId: row.host_id }, shared !== null),
      generatedAt: row.generated_at.toISOString(),
      generatedBy: row.generated_by,
      reason: row.reason,
      issuedOn: row.issued_on,
      isShared: shared !== null,
      keyId: row.key_id,
      size: Buffer.byteLength(text),
    },
  }
}
