import type { Kysely } from 'kysely'
import type { verifyLicense as operation } from '#contract/activations/license-files.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { decodeFile } from '#domain/activations/license-bytes.ts'
import { type Verification, verifyLicenseText } from '#domain/activations/license-verification.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { loadVerifier } from '#server/modules/activations/signing-keys.ts'

const EXPLANATIONS: Readonly<Record<Verification['verdict'], string>> = {
  ours: 'This portal generated every license in this file, and none was changed.',
  changed: 'At least one license in this file was changed or repeated after this portal signed it.',
  'not ours': 'No license in this file was signed by this portal.',
  'no licenses': 'This file has no licenses.',
}
const VENDOR_NOTE =
  "The check covers this portal's own signatures. A vendor's license daemon accepts only the vendor's own signatures."

/** Tells whether a license file is ours and unchanged. */
export async function verifyLicense(db: Kysely<DB>, file: Uint8Array): Promise<DataOf<typeof operation>> {
  const decoded = decodeFile(file)
  if (decoded.kind === 'other')
    throw new BusinessRefusal('NOT_A_LICENSE_FILE', `This is ${decoded.what}, not a license file.`)
  const { verdict, blocks, issueDates } = verifyLicenseText(decoded.text, await loadVerifier(db))
  return {
    verdict,
    explanation: `${EXPLANATIONS[verdict]} ${VENDOR_NOTE}`,
    blocks: blocks.map((block) => ({ ...block, activationId: block.activationId ?? null })),
    issueDates: [...issueDates],
  }
}
