import { licenseHostId, readHostId } from '#domain/activations/host-id.ts'
import { attribute, type LicenseLine, licenseLines } from '#domain/activations/license-lines.ts'
import { canonicalBlock, signatureOf } from '#domain/activations/license-signature.ts'

/** Whether a signature belongs to a text; undefined if there is no such key. */
export type Verify = (canonicalText: string, signature: string, keyId?: string) => boolean | undefined

/** A second copy of a valid block is a change as well: it would double its seats. */
export type BlockOutcome = 'valid' | 'changed' | 'duplicate' | 'unsigned' | 'unknown key'

export type VerifiedBlock = {
  /** The line of the file on which it begins. */
  readonly line: number
  readonly feature: string
  readonly activationId: string | undefined
  readonly outcome: BlockOutcome
}

export type Verification = {
  /** 'ours': every block is ours and unchanged. 'not ours': none was signed by a known key. */
  readonly verdict: 'ours' | 'changed' | 'not ours' | 'no licenses'
  readonly blocks: readonly VerifiedBlock[]
  /** More than one means that files of different days were pasted together: the older blocks are superseded. */
  readonly issueDates: readonly string[]
}

/** Tells of every block whether it is ours. A block that was taken out of a file leaves no trace: each is signed on its own. */
export function verifyLicenseText(text: string, verify: Verify): Verification {
  const lines = licenseLines(text)
  const readings = lines.filter(isServer).map(({ words }) => readHostId(words[2] ?? ''))
  const serverIds = [...new Map(readings.map((one) => [licenseHostId(one), one])).values()]
  const seen = new Set<string>()
  const features = lines.filter(isFeature)
  const blocks = features.map(({ words, number }): VerifiedBlock => {
    const canonical = canonicalBlock(words, serverIds)
    const outcome = outcomeOf(canonical, signatureOf(words), attribute(words, 'ISSUER'), verify)
    const isRepeated = outcome === 'valid' && seen.has(canonical)
    seen.add(canonical)
    return {
      line: number,
      feature: words[1] ?? '',
      activationId: attribute(words, 'SN'),
      outcome: isRepeated ? 'duplicate' : outcome,
    }
  })
  const remains = lines
    .filter(isRemainder)
    .map(({ number }): VerifiedBlock => ({ line: number, feature: '', activationId: undefined, outcome: 'unsigned' }))
  const issueDates = new Set(features.map(({ words }) => attribute(words, 'ISSUED')?.toLowerCase() ?? ''))
  const all = [...blocks, ...remains].sort((one, other) => one.line - other.line)
  return { verdict: verdictOf(all), blocks: all, issueDates: [...issueDates].filter((date) => date !== '') }
}

const isServer = ({ keyword }: LicenseLine) => keyword === 'SERVER'
const isFeature = ({ keyword }: LicenseLine) => keyword === 'FEATURE' || keyword === 'INCREMENT'

/** A signature without its license: somebody changed the keyword, which made a comment of the line. */
function isRemainder({ keyword, written: [line = ''] }: LicenseLine): boolean {
  return keyword === undefined && !/^\s*#/.test(line) && /\bSIGN2?=/.test(line)
}

function outcomeOf(
  canonical: string,
  signature: string | undefined,
  keyId: string | undefined,
  verify: Verify,
): BlockOutcome {
  if (signature === undefined) return 'unsigned'
  const isGenuine = verify(canonical, signature, keyId)
  if (isGenuine === undefined) return 'unknown key'
  return isGenuine ? 'valid' : 'changed'
}

function verdictOf(blocks: readonly VerifiedBlock[]): Verification['verdict'] {
  if (blocks.length === 0) return 'no licenses'
  if (blocks.every(({ outcome }) => outcome === 'valid')) return 'ours'
  return blocks.every(({ outcome }) => outcome === 'unsigned' || outcome === 'unknown key') ? 'not ours' : 'changed'
}
