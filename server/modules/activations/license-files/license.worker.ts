import { withLineFeeds } from '#domain/activations/license-files/file-signature.ts'
import { decodeFile } from '#domain/activations/license-files/license-bytes.ts'
import { type ChangedLine, changedLines, nearestText } from '#domain/activations/license-files/license-difference.ts'
import { licenseFileExcess } from '#domain/activations/license-files/license-limits.ts'
import { type LicenseReading, readLicenseFile } from '#domain/activations/license-files/license-reader.ts'
import { type Verification, verifyLicenseText } from '#domain/activations/license-files/license-verification.ts'
import { createVerifier, type PublicKey } from '#server/modules/activations/license-files/license-verifier.ts'
import { doTasks } from '#server/threads/work.ts'

/** A file and its text with line feeds as line ends. */
type Verified = { readonly kind: 'verified'; readonly text: string; readonly verification: Verification }
/** The index of the most similar stored text, and the differences from it. */
type Comparison = { readonly nearest: number; readonly lines: readonly ChangedLine[]; readonly lineCount: number }

export type LicenseWork = typeof WORK

const WORK = { read: readLicenseFile, verify, compare }

/** A thread that reads one license file after the other. */
doTasks(WORK)

type ToVerify = { readonly file: Uint8Array; readonly keys: readonly PublicKey[] }

function verify({ file, keys }: ToVerify): Verified | Exclude<LicenseReading, { kind: 'read' }> {
  const decoded = decodeFile(file)
  if (decoded.kind === 'other') return { kind: 'refused', reason: `This is ${decoded.what}, not a license file.` }
  const excess = licenseFileExcess(decoded.text)
  if (excess !== undefined) return { kind: 'too large', reason: excess }
  const text = completed(withLineFeeds(decoded.text))
  return { kind: 'verified', text, verification: verifyLicenseText(text, createVerifier(keys)) }
}

/** A file that was copied by hand may lack its last line end. */
const completed = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** Maximum number of changed lines in an answer. The count says how many there are. */
const MAX_LINES = 100

function compare({ text, kept }: { readonly text: string; readonly kept: readonly string[] }): Comparison {
  const nearest = nearestText(kept, text)
  const lines = changedLines(kept[nearest] ?? '', text)
  return { nearest, lines: lines.slice(0, MAX_LINES), lineCount: lines.length }
}
