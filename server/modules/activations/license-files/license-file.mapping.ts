import type { LicenseFile } from '#contract/activations/license-files/license-files.ts'
import { can } from '#domain/access/can.ts'
import type { Actor } from '#domain/access/standing.ts'
import { licenseFileName } from '#domain/activations/license-files/license-file.ts'
import type { KnownAccount } from '#server/modules/accounts/accounts.public.ts'
import type { LicenseFileRow } from '#server/modules/activations/license-files/license-files.queries.ts'

/** A license file as somebody may see it. */
export type VisibleFile = { readonly file: LicenseFile; readonly text: string; readonly customers: readonly string[] }

/** Whoever does not see everybody in a shared file gets the licenses of the one customer that the call is about. */
export function toVisibleFile(
  row: LicenseFileRow,
  actor: Actor,
  accounts: ReadonlyMap<string, KnownAccount>,
): VisibleFile {
  const isSeen = row.customers.every((number) => can(actor, 'account.read', accounts.get(number)?.standing).allowed)
  return toWholeFile(isSeen ? row : { ...row, shared_text: null })
}

/** The file with everybody in it, for who may see them all. */
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
