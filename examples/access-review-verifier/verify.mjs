/**
 * Checks the files of a finished access review without the portal: whether they are those that were signed, and by which key. Needs Node 18 or
 * later, and nothing else.
 *
 *   node verify.mjs access-review_….signature.json [--key <public key>]
 *
 * The PDF and CSV of the review lie beside it, under the names with which they were downloaded.
 *
 * --key   the public key (base64) of the portal, from GET /api/audit/checkpoints or an earlier review: signatures of any other key are refused
 *
 * Exit code: 0 if all is well, 1 if something was found, 2 if the call is wrong.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

/** The one text of a JSON value (RFC 8785). */
function canonicalJson(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}

function isGenuine({ publicKey, signature, ...signed }, trustedKey) {
  if (signed.form !== 'PORTAL-ACCESS-REVIEW-1') return false
  if (trustedKey !== undefined && publicKey !== trustedKey) return false
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(canonicalJson(signed)), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** What is wrong with a file; undefined if it is the one that was signed. */
function faultOf(file, sha256) {
  try {
    const found = createHash('sha256').update(readFileSync(file)).digest('hex')
    return found === sha256 ? undefined : 'was changed after it was signed'
  } catch {
    return 'cannot be read'
  }
}

const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true })
const [signatureFile] = positionals
if (signatureFile === undefined) {
  console.error('Usage: node verify.mjs access-review_….signature.json [--key <public key>]')
  process.exit(2)
}
let statement
try {
  statement = JSON.parse(readFileSync(signatureFile, 'utf8'))
} catch (error) {
  console.error(`${signatureFile} cannot be read: ${error.message}`)
  process.exit(2)
}
const faults = []
if (!isGenuine(statement, values.key)) faults.push('The signature is not genuine, or of another key.')
for (const [name, sha256] of Object.entries(statement.files ?? {})) {
  const fault = faultOf(path.join(path.dirname(signatureFile), path.basename(name)), sha256)
  if (fault) faults.push(`${name} ${fault}.`)
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)
console.log(
  `Genuine: the access review of account ${statement.customerNumber}, finished at ${statement.finishedAt} by ${statement.finishedBy}, signed with the key ${statement.keyId}.`,
)
