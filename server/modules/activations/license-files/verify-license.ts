import type { Kysely } from 'kysely'
import type { verifyLicense as operation } from '#contract/activations/license-files/license-files.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { can } from '#domain/access/can.ts'
import type { Actor } from '#domain/access/standing.ts'
import { explanationOf, verdictOn } from '#domain/activations/license-files/license-verdict.ts'
import type { Verification } from '#domain/activations/license-files/license-verification.ts'
import type { DB } from '#server/db/schema.ts'
import { findStandings } from '#server/modules/accounts/accounts.public.ts'
import { findFilesLike, type LicenseFileRow } from '#server/modules/activations/license-files/license-files.queries.ts'
import type { LicenseThreads } from '#server/modules/activations/license-files/license-threads.ts'
import { toVisibleFile } from '#server/modules/activations/license-files/read-license-files.ts'
import { loadPublicKeys } from '#server/modules/activations/license-files/signing-keys.ts'

/** The reader of the answer: a person learns of stored files only on accounts that the person sees. */
type Reader = Actor | 'operator'

type KeptText = { readonly row: LicenseFileRow; readonly text: string }

/** Checks whether a license file is ours and unchanged, and reports the changes if it is not. */
export async function verifyLicense(
  db: Kysely<DB>,
  threads: LicenseThreads,
  file: Uint8Array,
  reader: Reader,
): Promise<DataOf<typeof operation>> {
  const { text, verification } = await threads.verify(file, await loadPublicKeys(db))
  const kept = await findKept(db, verification, text, reader)
  const same = kept.find((one) => one.text === text)
  const verdict = verdictOn(verification, same !== undefined)
  const { nearest, lines, lineCount } =
    same || verdict === 'unchanged' ? { ...NO_CHANGE, nearest: same } : await compare(threads, kept, text)
  return {
    verdict,
    explanation: explanationOf(verdict, verification),
    blocks: verification.blocks.map((block) => ({ ...block, activationId: block.activationId ?? null })),
    issueDates: [...verification.issueDates],
    file: nearest
      ? {
          id: nearest.row.file_id,
          customerNumber: nearest.row.customer_number,
          serverId: nearest.row.host_id,
          generatedAt: nearest.row.generated_at.toISOString(),
          generatedBy: nearest.row.generated_by,
        }
      : null,
    changedLines: lines.map((line) => ({ ...line })),
    changedLineCount: lineCount,
  }
}

const NO_CHANGE = { nearest: undefined, lines: [], lineCount: 0 }

async function compare(threads: LicenseThreads, kept: readonly KeptText[], text: string) {
  if (kept.length === 0) return NO_CHANGE
  const comparison = await threads.compare(
    text,
    kept.map((one) => one.text),
  )
  return { ...comparison, nearest: kept[comparison.nearest] }
}

/** Maximum number of customers and hosts to look for: more than any file of ours names, each customer with its leading zeros. */
const MAX_SOUGHT = 1000

async function findKept(
  db: Kysely<DB>,
  { customers, hostIds }: Verification,
  text: string,
  reader: Reader,
): Promise<KeptText[]> {
  const rows = await findFilesLike(db, customers.slice(0, MAX_SOUGHT), hostIds.slice(0, MAX_SOUGHT), text)
  if (reader === 'operator')
    return rows.flatMap((row) => [row.own_text, row.shared_text].flatMap((kept) => (kept ? { row, text: kept } : [])))
  const accounts = await findStandings(db, reader.email, [...new Set(rows.flatMap((row) => row.customers))])
  return rows
    .filter((row) => can(reader, 'activations.read', accounts.get(row.customer_number)?.standing).allowed)
    .map((row) => ({ row, text: toVisibleFile(row, reader, accounts).text }))
}
