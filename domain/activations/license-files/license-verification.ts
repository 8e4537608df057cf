import { type HostIdReading, licenseHostId, readHostId } from '#domain/activations/hosts/host-id.ts'
import {
  countFileSignatures,
  type FileOutcome,
  verifyFileSignature,
} from '#domain/activations/license-files/file-signature.ts'
import { attribute, type LicenseLine, licenseLines } from '#domain/activations/license-files/license-lines.ts'
import {
  canonicalBlock,
  coveredWords,
  signatureOf,
  type Verify,
} from '#domain/activations/license-files/license-signature.ts'

/** A second copy of a valid block is a change as well: it would double its seats. */
export type BlockOutcome = 'valid' | 'changed' | 'duplicate' | 'unsigned' | 'unknown key'

export type VerifiedBlock = {
  /** The line of the file on which it begins. */
  readonly line: number
  readonly feature: string
  readonly activationId: string | undefined
  readonly outcome: BlockOutcome
}

/** The outcome of all licenses together. 'genuine': each is ours and unchanged. 'not ours': none was signed by a known key. */
export type LicensesOutcome = 'genuine' | 'changed' | 'not ours' | 'none'

export type Verification = {
  readonly licenses: LicensesOutcome
  /** The outcome of the whole file, comments and spaces included. */
  readonly file: FileOutcome
  /** How many generated files are in it, as far as their signatures tell. */
  readonly fileCount: number
  readonly blocks: readonly VerifiedBlock[]
  /** Customer numbers and host ids that the licenses name: where to look for the file. */
  readonly customers: readonly string[]
  readonly hostIds: readonly string[]
  /** More than one means that files of different days were pasted together: the older blocks are superseded. */
  readonly issueDates: readonly string[]
}

/** Checks the signature of every block and of the file as a whole. */
export function verifyLicenseText(text: string, verify: Verify): Verification {
  const lines = licenseLines(text)
  const readings = lines.filter(isServer).map(({ words }) => readHostId(words[2] ?? ''))
  const serverIds = [...new Map(readings.map((one) => [licenseHostId(one), one])).values()]
  const seen = new Set<string>()
  const features = lines.filter(isFeature)
  const blocks = features.map(({ words, number }): VerifiedBlock => {
    const signature = signatureOf(words)
    const outcome = signature ? verifiedOutcome(words, signature, serverIds, verify) : 'unsigned'
    // All blocks share the servers of the file, so blocks that differ, differ in their words.
    const content = coveredWords(words)
    const isRepeated = outcome === 'valid' && seen.has(content)
    seen.add(content)
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
  return {
    licenses: outcomeOfAll(all),
    file: verifyFileSignature(text, verify),
    fileCount: countFileSignatures(text),
    blocks: all,
    customers: [...new Set(features.flatMap(({ words }) => customersIn(words)))],
    hostIds: [...new Set([serverIds, ...features.map(({ words }) => hostsIn(words))].map(joinedIds))].filter(Boolean),
    issueDates: [...issueDates].filter((date) => date !== ''),
  }
}

const MAX_CUSTOMER_NUMBER = 20

/** A file pads the number with zeros, so the number of leading zeros that belong to the customer is unknown. */
function customersIn(words: readonly string[]): string[] {
  const text = attribute(words, 'VENDOR_STRING') ?? ''
  if (text.length > 'customer:'.length + MAX_CUSTOMER_NUMBER) return []
  const [, zeros = '', number = ''] = /^customer:(0*)(\S+)$/.exec(text) ?? []
  return number === '' ? [] : Array.from({ length: zeros.length + 1 }, (_, count) => '0'.repeat(count) + number)
}

const hostsIn = (words: readonly string[]) => attribute(words, 'HOSTID')?.split(' ').map(readHostId) ?? []
const joinedIds = (hosts: readonly HostIdReading[]) => hosts.map(({ id }) => id).join(',')

const isServer = ({ keyword }: LicenseLine) => keyword === 'SERVER'
const isFeature = ({ keyword }: LicenseLine) => keyword === 'FEATURE' || keyword === 'INCREMENT'

/** A signature without a license: somebody changed the keyword, which turned the line into a comment. */
function isRemainder({ keyword, written: [line = ''] }: LicenseLine): boolean {
  return keyword === undefined && !/^\s*#/.test(line) && /\bSIGN2?=/.test(line)
}

function verifiedOutcome(
  words: readonly string[],
  signature: string,
  serverIds: readonly HostIdReading[],
  verify: Verify,
): BlockOutcome {
  const isGenuine = verify(canonicalBlock(words, serverIds), signature, attribute(words, 'ISSUER'))
  if (isGenuine === undefined) return 'unknown key'
  return isGenuine ? 'valid' : 'changed'
}

function outcomeOfAll(blocks: readonly VerifiedBlock[]): LicensesOutcome {
  if (blocks.length === 0) return 'none'
  if (blocks.every(({ outcome }) => outcome === 'valid')) return 'genuine'
  return blocks.every(({ outcome }) => outcome === 'unsigned' || outcome === 'unknown key') ? 'not ours' : 'changed'
}
