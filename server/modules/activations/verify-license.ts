import type { Kysely } from 'kysely'
import type { verifyLicense as operation } from '#contract/activations/license-files.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { can } from '#domain/access/can.ts'
import type { Actor } from '#domain/access/standing.ts'
import { changedLines } from '#domain/activations/changed-lines.ts'
import { withLineFeeds } from '#domain/activations/file-signature.ts'
import { decodeFile } from '#domain/activations/license-bytes.ts'
import { explanationOf, verdictOn } from '#domain/activations/license-verdict.ts'
import { type Verification, verifyLicenseText } from '#domain/activations/license-verification.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { findStandings } from '#server/modules/accounts/accounts.public.ts'
import { toVisibleFile } from '#server/modules/activations/license-file.mapping.ts'
import { findFilesLike, type LicenseFileRow } from '#server/modules/activations/license-files.queries.ts'
import { loadVerifier } from '#server/modules/activations/signing-keys.ts'

/** Who reads the answer: a person is told of kept files only on accounts that the person sees. */
type Reader = Actor | 'operator'

type KeptText = { readonly row: LicenseFileRow; readonly text: string }

/** More would be no help; the count says how many there are. */
const MOST_LINES = 100

/** Tells whether a license file is ours and unchanged, and if it is not, what was changed. */
export async function verifyLicense(
  db: Kysely<DB>,
  file: Uint8Array,
  reader: Reader,
): Promise<DataOf<typeof operation>> {
  const decoded = decodeFile(file)
  if (decoded.kind === 'other')
    throw new BusinessRefusal('NOT_A_LICENSE_FILE', `This is ${decoded.what}, not a license file.`)
  const text = completed(withLineFeeds(decoded.text))
  const verification = verifyLicenseText(text, await loadVerifier(db))
  const kept = await findKept(db, verification, text, reader)
  const same = kept.find((one) => one.text === text)
  const verdict = verdictOn(verification, same !== undefined)
  const nearest = same ?? (verdict === 'unchanged' ? undefined : nearestOf(kept, text))
  const lines = nearest ? changedLines(nearest.text, text) : []
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
    changedLines: lines.slice(0, MOST_LINES).map((line) => ({ ...line })),
    changedLineCount: lines.length,
  }
}

/** A file that was copied by hand may lack its last line end. */
const completed = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

async function findKept(
  db: Kysely<DB>,
  { customers, hostIds }: Verification,
  text: string,
  reader: Reader,
): Promise<KeptText[]> {
  const rows = await findFilesLike(db, customers, hostIds, text)
  if (reader === 'operator')
    return rows.flatMap((row) => [row.own_text, row.shared_text].flatMap((kept) => (kept ? { row, text: kept } : [])))
  const accounts = await findStandings(db, reader.email, [...new Set(rows.flatMap((row) => row.customers))])
  return rows
    .filter((row) => can(reader, 'activations.read', accounts.get(row.customer_number)?.standing).allowed)
    .map((row) => ({ row, text: toVisibleFile(row, reader, accounts).text }))
}

function nearestOf(kept: readonly KeptText[], text: string): KeptText | undefined {
  const counted = kept.map((one) => ({ one, count: changedLines(one.text, text).length }))
  return counted.toSorted((left, right) => left.count - right.count)[0]?.one
}
