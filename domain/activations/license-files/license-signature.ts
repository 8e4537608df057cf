import { type HostIdReading, readHostId } from '#domain/activations/hosts/host-id.ts'
import { attribute } from '#domain/activations/license-files/license-lines.ts'
import { UnsafeLicenseWordError } from '#domain/activations/license-files/license-words.ts'

/** Signs the canonical text of a block. The caller keeps the key and chooses the scheme. */
export type Sign = (canonicalText: string) => string

/** Whether a signature belongs to a text; undefined if there is no such key. */
export type Verify = (canonicalText: string, signature: string, keyId?: string) => boolean | undefined

const FORM = 'PORTAL-LICENSE-BLOCK-1'
/** keyword, feature, vendor, version, expiration, count */
const POSITIONAL = 6

/**
 * What a signature covers. Three lines, joined by line feeds, without one at the end:
 *
 *     PORTAL-LICENSE-BLOCK-1
 *     HOSTS ETHERNET=3cecef4b7d10
 *     INCREMENT struct_pro ansyslmd 9999.9999 31-dec-2026 12 VENDOR_STRING=customer:00100001 …
 *
 * The hosts are those of HOSTID= if the block has one, else those of the file's SERVER lines, in their order, as type and
 * normalized id. The block is its words with single spaces between them, the keyword in upper case, without its signatures
 * and without attributes in lower case (`sort=`, `user_info=` …), which administrators may edit. Host names, ports, paths,
 * comments and line breaks are theirs as well and therefore not covered: a license stays genuine when they change. The
 * signature of the file (`file-signature.ts`) covers them, so that the file is then no longer unchanged.
 */
export function canonicalBlock(words: readonly string[], serverIds: readonly HostIdReading[]): string {
  const hostId = attribute(words, 'HOSTID')
  const hosts = hostId === undefined ? serverIds : hostId.split(' ').map(readHostId)
  return [FORM, ['HOSTS', ...hosts.map(({ type, id }) => `${type}=${id}`)].join(' '), coveredWords(words)].join('\n')
}

/** The part of a block that its signature covers. */
export function coveredWords(words: readonly string[]): string {
  const [keyword = '', ...others] = words.filter((word, index) => index < POSITIONAL || isCovered(word))
  return [keyword.toUpperCase(), ...others].join(' ')
}

function isCovered(word: string): boolean {
  return !/^(?:SIGN2?|[a-z_]+)=/.test(word)
}

/** Groups of four characters, the usual form of signatures in license files. */
export function signatureGroups(signature: string): readonly string[] {
  if (!/^[A-Za-z0-9+/=_-]+$/.test(signature))
    throw new UnsafeLicenseWordError('A signature must be hexadecimal or base64')
  return signature.match(/.{1,4}/g) ?? []
}

/** The attribute that carries the signature of a block. */
export function signatureAttribute(signature: string): string {
  return `SIGN="${signatureGroups(signature).join(' ')}"`
}

/** The signature of a block, without the spaces of its groups; undefined if the block has none. */
export function signatureOf(words: readonly string[]): string | undefined {
  return attribute(words, 'SIGN')?.replaceAll(' ', '') || undefined
}
