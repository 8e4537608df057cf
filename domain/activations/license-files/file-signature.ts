import { type Sign, signatureGroups, type Verify } from '#domain/activations/license-files/license-signature.ts'

const FORM = 'PORTAL-LICENSE-FILE-1'
const FIRST_LINE = /^# Signature of everything above(?:, key ([A-Za-z0-9-]+))?:$/
const SIGNATURE_LINE = /^# [A-Za-z0-9+/=_ -]+$/
const GROUPS_PER_LINE = 16

/** What the signature at the end of a file says of the file. Absent: the file has none. */
export type FileOutcome = 'valid' | 'changed' | 'unknown key' | 'absent'

/**
 * A file ends in comment lines that sign every character above them. The text that is signed is the name of the form, a
 * line feed, and everything above the first of these lines with line feeds as line ends.
 */
export function withFileSignature(body: string, keyId: string | undefined, sign: Sign): string {
  return `${body}${signatureLines(keyId, sign(signedText(body)))}`
}

/** White space at line ends, blank lines and comments all count. Only the kind of line ends may differ. */
export function verifyFileSignature(text: string, verify: Verify): FileOutcome {
  const lines = withLineFeeds(text).split('\n')
  if (lines.at(-1) === '') lines.pop()
  const start = lines.findLastIndex(isFirstLine)
  if (start < 0) return 'absent'
  const keyId = FIRST_LINE.exec(lines[start] ?? '')?.[1]
  const written = lines.slice(start + 1)
  if (!written.every((line) => SIGNATURE_LINE.test(line))) return 'changed'
  const signature = written.map((line) => line.slice(2).replaceAll(' ', '')).join('')
  const body = lines
    .slice(0, start)
    .map((line) => `${line}\n`)
    .join('')
  const isGenuine = verify(signedText(body), signature, keyId)
  if (isGenuine === undefined) return 'unknown key'
  // A signature with another grouping is another text.
  return isGenuine && signatureLines(keyId, signature) === `${lines.slice(start).join('\n')}\n` ? 'valid' : 'changed'
}

/** The number of file signatures in the text: more than one means that files were pasted together. */
export function countFileSignatures(text: string): number {
  return withLineFeeds(text).split('\n').filter(isFirstLine).length
}

/** The text above the signature. */
export function withoutFileSignature(text: string): string {
  const lines = withLineFeeds(text).split('\n')
  const start = lines.findLastIndex(isFirstLine)
  return start < 0 ? text : `${lines.slice(0, start).join('\n')}\n`
}

/** CRLF and CR end a line as well. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

const isFirstLine = (line: string) => FIRST_LINE.test(line)
const signedText = (body: string) => `${FORM}\n${body}`

function signatureLines(keyId: string | undefined, signature: string): string {
  const groups = signatureGroups(signature)
  const lines: string[] = [`# Signature of everything above${keyId === undefined ? '' : `, key ${keyId}`}:`]
  for (let at = 0; at < groups.length; at += GROUPS_PER_LINE)
    lines.push(`# ${groups.slice(at, at + GROUPS_PER_LINE).join(' ')}`)
  return `${lines.join('\n')}\n`
}
