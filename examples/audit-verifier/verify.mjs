/**
 * Checks an exported audit log without the portal: every line against its hash, the lines against each other, and the chain
 * against signed checkpoints. Names every row that was changed, removed or inserted. Needs Node 18 or later, and nothing else.
 *
 *   node verify.mjs audit.ndjson --checkpoints checkpoints.json [--key <public key>] [--after <hash>]
 *
 * audit.ndjson       the answer of GET /api/audit/export?customerNumber=…
 * checkpoints.json   the answer of GET /api/audit/checkpoints?customerNumber=…, not newer than the export
 * --key              the public key (base64) that you noted when you first downloaded a checkpoint: signatures of any other
 *                    key are refused
 * --after            the hash of the last line of the file before this one, if earlier lines are in another file
 *
 * Exit code: 0 if all is well, 1 if something was found, 2 if the call is wrong.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const CHAIN_START = '0'.repeat(64)

/** The one text of a JSON value (RFC 8785). */
function canonicalJson(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}

/** What the hash of a line covers: all of it but the hash. */
function hashOf({ hash: _, ...line }) {
  return createHash('sha256').update(canonicalJson(line)).digest('hex')
}

function isGenuine({ customerNumber, day, sequence, hash, madeAt, keyId, publicKey, signature }, trustedKey) {
  if (trustedKey !== undefined && publicKey !== trustedKey) return false
  const form = 'PORTAL-AUDIT-CHECKPOINT-1'
  const signed = canonicalJson({ form, customerNumber, day, sequence, hash, madeAt, keyId })
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** Lines end in a line feed and in nothing else: texts of entries may hold U+2028, at which `node:readline` breaks lines as well. */
async function* linesOf(file) {
  let rest = ''
  for await (const piece of createReadStream(file, 'utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()
    yield* lines
  }
  if (rest !== '') yield rest
}

/** The entry of a line, or why it is none. */
function readEntry(text) {
  try {
    const entry = JSON.parse(text)
    const isEntry =
      typeof entry?.customerNumber === 'string' && Number.isSafeInteger(entry.sequence) && entry.sequence > 0
    if (isEntry) return hasKeyTwice(text) ? { fault: 'it has a key twice' } : { entry }
  } catch {}
  return { fault: 'it is not an entry of the log' }
}

/** Of two values of one key, JSON.parse drops the first without a word, and another program might show it. */
function hasKeyTwice(json) {
  const objects = []
  for (const [token, text, colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (colon) {
      const keys = objects.at(-1)
      const key = JSON.parse(text)
      if (keys.has(key)) return true
      keys.add(key)
    }
  }
  return false
}

function readCheckpoints(file) {
  if (file === undefined) return []
  const content = JSON.parse(readFileSync(file, 'utf8'))
  if (Array.isArray(content)) return content
  return Array.isArray(content.data) ? content.data : [content]
}

const chainName = (customerNumber) => (customerNumber === '' ? 'the portal itself' : `account ${customerNumber}`)

let faults = 0
function fault(text) {
  faults++
  console.log(text)
}
function report(customerNumber, kind, from, to, reason) {
  const rows = to > from ? `sequences ${from} to ${to}` : `sequence ${from}`
  fault(`${chainName(customerNumber)}, ${rows}: ${kind} (${reason})`)
}

/** Checks the lines of one account, in their order. */
function checkChain(customerNumber, marks, after) {
  const markAt = new Map(marks.map((mark) => [mark.sequence, mark]))
  let last
  let count = 0
  // The last row before the chain, if it begins at a checkpoint.
  let startsAfter = 0
  // Up to where entries say that the retention removed the beginning.
  const removedTo = new Set()
  // The sequence of the last checkpoint so far.
  let markedTo = 0

  /** The first line of a file that goes on where another one ends. */
  function checkSeam({ sequence, previousHash }) {
    markedTo = sequence - 1
    if (previousHash !== after)
      report(customerNumber, 'changed', sequence, 0, 'it does not follow the line with the hash of --after')
    const mark = markAt.get(sequence - 1)
    if (mark && mark.hash !== after)
      report(customerNumber, 'changed', sequence - 1, 0, `the checkpoint of ${mark.day} has another hash than --after`)
  }
  function checkPlace(line, isIntact) {
    const { sequence, previousHash } = line
    if (!last && after !== undefined) return checkSeam(line)
    const expected = last ? last.sequence + 1 : 1
    if (sequence > expected) {
      const startsAtCheckpoint = !last && markAt.get(sequence - 1)?.hash === previousHash
      if (startsAtCheckpoint) startsAfter = markedTo = sequence - 1
      else report(customerNumber, 'removed', expected, sequence - 1, 'the chain has a gap')
      return
    }
    const before = last ? last.hash : CHAIN_START
    if (before === undefined || before === previousHash || !isIntact) return
    if (last) report(customerNumber, 'changed', last.sequence, 0, 'the row after it was sealed on another one')
    else report(customerNumber, 'changed', sequence, 0, 'it does not begin the chain')
  }

  return {
    next(line) {
      count++
      if (last && line.sequence <= last.sequence) {
        report(customerNumber, 'inserted', line.sequence, 0, 'the chain has another row of this number')
        return
      }
      const isIntact = hashOf(line) === line.hash
      checkPlace(line, isIntact)
      if (!isIntact)
        report(customerNumber, 'changed', line.sequence, 0, 'it does not have the hash that it was sealed with')
      const mark = markAt.get(line.sequence)
      // Which of the rows since the checkpoint before it is the changed one, their hashes cannot say.
      if (mark && mark.hash !== line.hash)
        report(customerNumber, 'changed', markedTo + 1, line.sequence, `the checkpoint of ${mark.day} has another hash`)
      if (mark) markedTo = line.sequence
      if (line.action === 'audit.retention') removedTo.add(line.after?.sequence)
      last = { sequence: line.sequence, hash: line.hash }
    },
    end() {
      const reached = last?.sequence ?? 0
      const newest = Math.max(0, ...marks.map(({ sequence }) => sequence))
      if (startsAfter > 0 && !removedTo.has(startsAfter))
        report(customerNumber, 'removed', 1, startsAfter, 'no entry says that the retention removed them')
      if (newest > reached) report(customerNumber, 'removed', reached + 1, newest, 'a checkpoint knows them')
      if (last)
        console.log(
          `${chainName(customerNumber)} ends at sequence ${reached}: check the next file with --after ${last.hash}`,
        )
      return count
    },
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { checkpoints: { type: 'string' }, key: { type: 'string' }, after: { type: 'string' } },
  })
  const [file, ...others] = positionals
  if (file === undefined) throw new Error('Name the exported file')
  if (others.length > 0) throw new Error(`Unknown words: ${others.join(' ')}. Check one file after the other (--after)`)
  const { after } = values
  if (after !== undefined && !/^[0-9a-f]{64}$/.test(after))
    throw new Error('--after takes the hash of the last line of the file before: 64 hexadecimal digits')
  const marks = new Map()
  for (const checkpoint of readCheckpoints(values.checkpoints)) {
    const { customerNumber, sequence, day } = checkpoint
    if (!isGenuine(checkpoint, values.key)) {
      report(customerNumber, 'checkpoint', sequence, 0, `the checkpoint of ${day} has no valid signature`)
      continue
    }
    marks.set(customerNumber, [...(marks.get(customerNumber) ?? []), checkpoint])
  }
  const chains = new Map()
  const chainOf = (customerNumber) => {
    const chain = chains.get(customerNumber) ?? checkChain(customerNumber, marks.get(customerNumber) ?? [], after)
    chains.set(customerNumber, chain)
    return chain
  }
  let number = 0
  for await (const text of linesOf(file)) {
    number++
    if (text.trim() === '') continue
    const { entry, fault: reason } = readEntry(text)
    if (entry) chainOf(entry.customerNumber).next(entry)
    else fault(`line ${number} of the file: inserted (${reason})`)
  }
  for (const customerNumber of marks.keys()) chainOf(customerNumber)
  let rows = 0
  for (const chain of chains.values()) rows += chain.end()
  const known = [...marks.values()].flat()
  for (const key of new Set(known.map(({ publicKey }) => publicKey)))
    console.log(
      `checkpoints are signed with the key ${key}${values.key === undefined ? ': compare it with yours' : ''}`,
    )
  if (known.length === 0)
    console.log('without checkpoints, a log that was written anew cannot be told from the original')
  console.log(
    `${rows} rows, ${known.length} checkpoints: ${faults === 0 ? 'nothing was changed, removed or inserted' : `${faults} faults`}`,
  )
  process.exitCode = faults === 0 ? 0 : 1
}

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 2
})
