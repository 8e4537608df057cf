/*
 * Sends what a FlexNet license server prints to the portal: its debug log, from where it stopped, and the output of
 * lmstat. It runs on plain Node, without packages, and may be killed at any moment: nothing is lost, nothing is sent
 * twice. See README.md.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'

const run = promisify(execFile)
/** Bytes of the log that are sent at once. */
const PART = 1024 * 1024
/** So many bytes of its beginning tell whether a file is still the same. */
const HEAD = 1024
const MOST_OUTPUTS = 1000
/** A packed file that cannot be unpacked may still be written for so long. In milliseconds. */
const PACKING_TIME = 10 * 60_000

type Config = {
  readonly portal: string
  readonly token: string
  readonly customerNumber: string
  readonly serverId: string
  readonly log: string | undefined
  readonly lmstat: readonly string[] | undefined
  readonly folder: string
  readonly interval: number
}

/** The log file that is being read. `offset`: bytes of it that were read. `position`: bytes of text that were made of them. */
type Reading = {
  readonly name: string
  readonly inode: string
  readonly head: string
  readonly headLength: number
  readonly offset: number
  readonly position: number
}
type Observation = { readonly text: string; readonly file?: string; readonly position?: number }
/** What is sent, and how far the log is read when it is written. Its file is the commit of a step. */
type Entry = { readonly observation: Observation; readonly after: Reading | null }

function readConfig(env: NodeJS.ProcessEnv): Config {
  const required = (name: string) => {
    const value = env[name]
    if (!value) throw new Error(`Set ${name}. See README.md.`)
    return value
  }
  if (!env.LOG && !env.LMSTAT) throw new Error('Set LOG, LMSTAT or both. See README.md.')
  return {
    portal: required('PORTAL').replace(/\/$/, ''),
    token: required('TOKEN'),
    customerNumber: required('CUSTOMER'),
    serverId: required('SERVER_ID'),
    log: env.LOG || undefined,
    lmstat: env.LMSTAT ? wordsOf(env.LMSTAT) : undefined,
    folder: env.STATE_FOLDER || 'license-collector-state',
    interval: Number(env.INTERVAL_SECONDS || 60) * 1000,
  }
}

/** The words of a command. Quotes keep the blanks of a path: `"C:\Program Files\lmutil.exe" lmstat -a`. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
}

function log(line: string): void {
  console.log(`${new Date().toISOString()} ${line}`)
}

/** Writes a file so that it is there as a whole, or not at all, also after a power cut. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.tmp`
  const handle = fs.openSync(temporary, 'w')
  fs.writeSync(handle, text)
  fs.fsyncSync(handle)
  fs.closeSync(handle)
  fs.renameSync(temporary, file)
}

/** The entries that wait to be sent, the oldest first, and the point up to which the log is read. */
function openSpool(folder: string) {
  fs.mkdirSync(folder, { recursive: true })
  const stateFile = path.join(folder, 'state.json')
  const names = () =>
    fs
      .readdirSync(folder)
      .filter((name) => /^\d{12}\.json$/.test(name))
      .sort()
  const load = (name: string) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as Entry
  let number = Number(names().at(-1)?.slice(0, 12) ?? 0)
  let reading: Reading | null = fs.existsSync(stateFile)
    ? (JSON.parse(fs.readFileSync(stateFile, 'utf8')) as Reading | null)
    : null
  // An entry that was written is newer than the state, which is written when an entry was sent.
  for (const name of names()) reading = load(name).after ?? reading
  return {
    reading: () => reading,
    add(entry: Entry): void {
      number += 1
      writeWhole(path.join(folder, `${String(number).padStart(12, '0')}.json`), JSON.stringify(entry))
      reading = entry.after ?? reading
    },
    /** Remembers a file that is read from its beginning. Nothing of it is lost if this is: it begins again. */
    begin(next: Reading): void {
      reading = next
    },
    names,
    load,
    /** The state goes first: if the entry stayed without it, it would be sent again, which the portal recognizes. */
    remove(name: string, { after }: Entry): void {
      if (after) writeWhole(stateFile, JSON.stringify(after))
      fs.rmSync(path.join(folder, name))
    },
    /** Keeps an entry that the portal refuses for good, so that the others go on. */
    setAside(name: string, entry: Entry): void {
      fs.mkdirSync(path.join(folder, 'refused'), { recursive: true })
      fs.copyFileSync(path.join(folder, name), path.join(folder, 'refused', name))
      this.remove(name, entry)
    },
    countOutputs: () => names().length,
  }
}
type Spool = ReturnType<typeof openSpool>

function beginningOf(file: string, length: number): string {
  const handle = fs.openSync(file, 'r')
  const bytes = Buffer.alloc(length)
  const read = fs.readSync(handle, bytes, 0, length, 0)
  fs.closeSync(handle)
  return createHash('sha256').update(bytes.subarray(0, read)).digest('hex')
}

function inodeOf(file: string): { inode: string; size: number } | null {
  try {
    const { ino, dev, size } = fs.statSync(file, { bigint: true })
    return { inode: `${dev}-${ino}`, size: Number(size) }
  } catch {
    return null
  }
}

/** Whether a file is the one that is being read: not another one, not cut off, not written anew from its beginning. */
function isSame(file: string, reading: Reading): boolean {
  const found = inodeOf(file)
  if (!found || found.inode !== reading.inode || found.size < reading.offset) return false
  return beginningOf(file, reading.headLength) === reading.head
}

/** Whether a file begins as the one that is being read: logrotate copies it before it cuts it off (`copytruncate`). */
const isCopy = (file: string, { head, headLength }: Reading) => headLength > 0 && beginningOf(file, headLength) === head

/**
 * The other files of the folder that were this log before: `debug.log.1`, `debug-2026-03-09.log`, `debug.log.2.gz`. A file that is
 * being packed is there twice, and is taken as it was.
 */
function listRenamed(logFile: string): string[] {
  const folder = path.dirname(logFile)
  const { name: start, ext } = path.parse(logFile)
  const [first, end] = [start, ext].map((part) => part.replaceAll(/[^\w]/g, '\\$&'))
  const when = '[-._](\\d[-._:T\\d]*|old|bak)'
  const isRotation = new RegExp(`^${first}(${end}${when}|${when}${end})([.]gz)?$`)
  const names = fs.readdirSync(folder).filter((name) => name !== path.basename(logFile) && isRotation.test(name))
  return names
    .filter((name) => !isPacked(name) || !names.includes(name.slice(0, -'.gz'.length)))
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile())
}

/** The file that was being read when the log was renamed or copied, and those that were the log since then, the oldest first. */
async function listMissed(logFile: string, reading: Reading): Promise<string[]> {
  const renamed = listRenamed(logFile)
  const copies: string[] = []
  for (const file of renamed)
    if (isPacked(file) ? await isSamePacked(file, reading) : isCopy(file, reading)) copies.push(file)
  const last =
    renamed.find((file) => isSame(file, reading)) ??
    copies.find((file) => !isPacked(file) && fs.statSync(file).size >= reading.offset) ??
    copies.find(isPacked)
  if (last === undefined) return []
  const { mtimeMs } = fs.statSync(last)
  const since = renamed.filter((file) => !copies.includes(file) && fs.statSync(file).mtimeMs > mtimeMs)
  return [last, ...since.sort((one, other) => fs.statSync(one).mtimeMs - fs.statSync(other).mtimeMs)]
}

const isPacked = (file: string) => file.endsWith('.gz')

/** Whether a packed file is the one that is being read. Packing makes another file with the same content. */
async function isSamePacked(file: string, { head, headLength }: Reading): Promise<boolean> {
  if (headLength === 0) return false
  const pieces: Buffer[] = []
  const unpacked = fs.createReadStream(file).pipe(createGunzip())
  try {
    for await (const piece of unpacked) {
      pieces.push(piece as Buffer)
      if (pieces.reduce((sum, { length }) => sum + length, 0) >= headLength) break
    }
  } catch {
    return false
  }
  return createHash('sha256').update(Buffer.concat(pieces).subarray(0, headLength)).digest('hex') === head
}

/** Unpacks a file into the state folder. Fails while it may still be written; of a damaged one, what can be read is taken. */
async function unpack(file: string, folder: string): Promise<string> {
  const unpacked = path.join(folder, 'unpacked.log')
  try {
    await pipeline(fs.createReadStream(file), createGunzip(), fs.createWriteStream(unpacked))
  } catch (error) {
    if (Date.now() - fs.statSync(file).ctimeMs < PACKING_TIME) throw error
    log(`${file} is damaged: ${(error as Error).message}`)
  }
  return unpacked
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Line by line UTF-8, else Latin-1. NUL bytes, which crashes leave, are not text. */
function textOf(bytes: Buffer): string {
  const lines: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1)
    from += line.length
    try {
      lines.push(utf8.decode(line))
    } catch {
      lines.push(line.toString('latin1'))
    }
  }
  return lines.join('').replaceAll('\0', '')
}

/** Puts what was added to a file into the spool: whole lines, and the rest as well if nothing follows any more. */
function readFile(file: string, spool: Spool, isFinished: boolean): void {
  for (;;) {
    const reading = spool.reading()
    if (!reading) return
    const handle = fs.openSync(file, 'r')
    const bytes = Buffer.alloc(PART)
    const length = fs.readSync(handle, bytes, 0, PART, reading.offset)
    fs.closeSync(handle)
    const whole = bytes.subarray(0, length).lastIndexOf(10) + 1
    const taken = whole > 0 ? whole : isFinished || length === PART ? length : 0
    if (taken === 0) return
    const text = textOf(bytes.subarray(0, taken))
    const headLength = Math.max(reading.headLength, Math.min(HEAD, reading.offset + taken))
    const after: Reading = {
      ...reading,
      headLength,
      head: headLength === reading.headLength ? reading.head : beginningOf(file, headLength),
      offset: reading.offset + taken,
      position: reading.position + Buffer.byteLength(text),
    }
    spool.add({ observation: { file: reading.name, position: reading.position, text }, after })
  }
}

/** Reads the log on: what was added, the rest of files that were renamed, and a file that begins anew. */
async function readLog(logFile: string, spool: Spool, folder: string): Promise<void> {
  const before = spool.reading()
  if (before && !isSame(logFile, before))
    for (const [index, file] of (await listMissed(logFile, before)).entries()) {
      // The first one is the file that was being read, under another name.
      if (index > 0) begin(file, logFile, spool)
      if (isPacked(file)) {
        const unpacked = await unpack(file, folder)
        readFile(unpacked, spool, true)
        fs.rmSync(unpacked)
      } else readFile(file, spool, true)
    }
  const reading = spool.reading()
  if (!inodeOf(logFile)) return
  if (!reading || !isSame(logFile, reading)) begin(logFile, logFile, spool)
  readFile(logFile, spool, false)
}

/** Every file has a name of its own in the portal. */
function begin(file: string, logFile: string, spool: Spool): void {
  const name = `${path.basename(logFile)} ${new Date().toISOString()} ${randomBytes(4).toString('hex')}`
  const head = createHash('sha256').digest('hex')
  spool.begin({ name, inode: inodeOf(file)?.inode ?? '', head, headLength: 0, offset: 0, position: 0 })
}

async function callLmstat([command = '', ...words]: readonly string[], spool: Spool): Promise<void> {
  const { stdout } = await run(command, words, { timeout: 50_000, maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: { stdout?: string; message: string }) => {
      log(`lmstat failed: ${error.message}`)
      return { stdout: error.stdout ?? '' }
    },
  )
  if (stdout.trim() && spool.countOutputs() < MOST_OUTPUTS)
    spool.add({ observation: { text: stdout.replaceAll('\0', '') }, after: null })
}

/** Sends what waits, the oldest first. Stops at the first that cannot be sent now. */
async function sendAll(config: Config, spool: Spool): Promise<void> {
  const isServiceKey = config.token.startsWith('lpk_')
  const address = `${config.portal}${isServiceKey ? '/service/v1' : '/api'}/license-servers/observations`
  for (const name of spool.names()) {
    const entry = spool.load(name)
    const { customerNumber, serverId, token } = config
    const answer = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-requested-with': 'collector',
      },
      body: JSON.stringify({ customerNumber, serverId, observations: [entry.observation] }),
      signal: AbortSignal.timeout(60_000),
    })
    const said = (await answer.json().catch(() => ({}))) as { err?: string; data?: { outcome: string }[] }
    if (answer.status === 400 || answer.status === 413) {
      log(`set aside ${name}: ${answer.status} ${said.err ?? ''}`)
      spool.setAside(name, entry)
      continue
    }
    if (!answer.ok) throw new Error(`${answer.status} ${said.err ?? ''}`)
    const outcome = said.data?.[0]?.outcome
    // A proxy or a sign-in page may answer in place of the portal, which has not got the entry then.
    if (outcome === undefined) throw new Error(`${answer.status}, but not an answer of the portal`)
    if (outcome === 'conflict' || outcome === 'refused') {
      log(`set aside ${name}: ${outcome}`)
      spool.setAside(name, entry)
    } else spool.remove(name, entry)
  }
}

const config = readConfig(process.env)
const spool = openSpool(config.folder)
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopping = true))
log(`reading ${config.log ?? 'no log'}, sending to ${config.portal} every ${config.interval / 1000} s`)
while (!isStopping) {
  try {
    if (config.log) await readLog(config.log, spool, config.folder)
    if (config.lmstat) await callLmstat(config.lmstat, spool)
    await sendAll(config, spool)
  } catch (error) {
    log(`not sent, trying again: ${(error as Error).message}`)
  }
  for (let waited = 0; waited < config.interval && !isStopping; waited += 1000)
    await sleep(Math.min(1000, config.interval - waited))
}
