/*
 * Sends what a FlexNet license server prints to the portal: its debug log, from where it stopped, and the output of
 * lmstat. If its configuration allows it, it also installs the options file that was saved in the portal. It runs on plain Node, without packages, and may be killed at any moment: nothing is lost, nothing is sent
 * twice. See README.md.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, createGunzip, gunzipSync } from 'node:zlib'

const run = promisify(execFile)
/** Bytes of the log that are sent at once. */
const PART = 1024 * 1024
/** So many bytes of its beginning tell a file from others. lmgrd begins with 1 kB that is the same every day. */
const HEAD = 4096
/** So many bytes of a packed file hold its beginning. */
const PACKED_HEAD = 8192
/** Fewer digits in the name of a file are a number. */
const DATE_DIGITS = 6
const MAX_OUTPUTS = 1000
/** How far a file was read is forgotten when the file has been gone for so long. In milliseconds. */
const KEPT_AFTER_REMOVAL = 60 * 60_000

type OptionsConfig = {
  readonly file: string
  readonly daemon: string
  /** The command that tells the vendor daemon. Undefined: it reads the file when it is started again. */
  readonly reread: readonly string[] | undefined
}

type Config = {
  readonly portal: string
  readonly token: string
  readonly customerNumber: string
  readonly serverId: string
  readonly log: string | undefined
  readonly lmstat: readonly string[] | undefined
  /** Undefined: options files are not installed. */
  readonly options: OptionsConfig | undefined
  readonly folder: string
  readonly interval: number
}

/**
 * How far a file is read. It is found again by its beginning, whatever it is called by now: renamed, copied or packed.
 * `head`: its first bytes, in base64. `offset`: bytes of it that were read. `position`: bytes of text that were made of them.
 * `isLive`: it was the log when it was last read.
 */
type Reading = {
  readonly name: string
  readonly head: string
  readonly offset: number
  readonly position: number
  readonly isLive: boolean
}
/** `others`: hashes of the beginnings of files that were renamed before the collector ever ran. They are not read. */
type State = { readonly readings: readonly Reading[]; readonly others: readonly string[] }
type Observation = { readonly text: string; readonly file?: string; readonly position?: number }
/** What is sent, and how far its file is read when it is written. Its file is the commit of a step. */
type Entry = { readonly observation: Observation; readonly after: Reading | null }

function readConfig(env: NodeJS.ProcessEnv): Config {
  const required = (name: string) => {
    const value = env[name]
    if (!value) throw new Error(`Set ${name}. See README.md.`)
    return value
  }
  if (!env.LOG && !env.LMSTAT && !env.OPTIONS_FILE) throw new Error('Set LOG, LMSTAT or OPTIONS_FILE. See README.md.')
  if (env.OPTIONS_FILE && env.TOKEN?.startsWith('lpk_'))
    throw new Error('OPTIONS_FILE needs an API token of the account. See README.md.')
  return {
    portal: required('PORTAL').replace(/\/$/, ''),
    token: required('TOKEN'),
    customerNumber: required('CUSTOMER'),
    serverId: required('SERVER_ID'),
    log: env.LOG || undefined,
    lmstat: env.LMSTAT ? wordsOf(env.LMSTAT) : undefined,
    options: env.OPTIONS_FILE
      ? {
          file: env.OPTIONS_FILE,
          daemon: env.OPTIONS_DAEMON || path.parse(env.OPTIONS_FILE).name,
          reread: env.REREAD ? wordsOf(env.REREAD) : undefined,
        }
      : undefined,
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
function writeWhole(file: string, text: string | Buffer): void {
  const temporary = `${file}.tmp`
  fs.writeFileSync(temporary, text, { flush: true })
  // Whoever may read the file may read the next one, too.
  if (fs.existsSync(file)) fs.chmodSync(temporary, fs.statSync(file).mode & 0o7777)
  fs.renameSync(temporary, file)
}

/** The entries that wait to be sent, the oldest first, and how far each file of the log is read. */
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
  const stored = fs.existsSync(stateFile) ? (JSON.parse(fs.readFileSync(stateFile, 'utf8')) as Partial<State>) : {}
  let others = stored.others
  const readings = new Map<string, Reading>()
  function remember(reading: Reading | null): void {
    if (!reading) return
    if (reading.isLive)
      for (const one of readings.values()) if (one.isLive) readings.set(one.name, { ...one, isLive: false })
    readings.set(reading.name, reading)
  }
  function save(): void {
    if (others) writeWhole(stateFile, JSON.stringify({ readings: [...readings.values()], others } satisfies State))
  }
  for (const reading of stored.readings ?? []) remember(reading)
  // An entry that was written is newer than the state, which is written when an entry was sent.
  for (const name of names()) remember(load(name).after)
  return {
    readings: () => [...readings.values()],
    /** Undefined: the collector has never looked at the log. */
    others: () => others,
    saveOthers(hashes: readonly string[]): void {
      others = hashes
      save()
    },
    add(entry: Entry): void {
      writeWhole(path.join(folder, `${String(number + 1).padStart(12, '0')}.json`), JSON.stringify(entry))
      number += 1
      remember(entry.after)
    },
    /** Moves on over what is no text. It is only written with the next entry. */
    remember,
    forget: (name: string) => readings.delete(name),
    names,
    load,
    /** The state goes first: if the entry stayed without it, it would be sent again, which the portal recognizes. */
    remove(name: string): void {
      save()
      fs.rmSync(path.join(folder, name))
    },
    /** Keeps an entry that the portal refuses for good, so that the others go on. */
    setAside(name: string): void {
      fs.mkdirSync(path.join(folder, 'refused'), { recursive: true })
      fs.copyFileSync(path.join(folder, name), path.join(folder, 'refused', name))
      this.remove(name)
    },
    countOutputs: () => names().length,
  }
}
type Spool = ReturnType<typeof openSpool>

/**
 * The other files of the folder that were this log before, the oldest first: `debug.log.2`, `debug.log.1`, or
 * `debug-2026-03-09.log`, `debug-2026-03-10.log`. A file that is being packed is there twice, and is taken as it was.
 */
function listRenamed(logFile: string): string[] {
  const folder = path.dirname(logFile)
  const { name: start, ext } = path.parse(logFile)
  const [first, end] = [start, ext].map((part) => part.replaceAll(/[^\w]/g, '\\$&'))
  const when = '[-._](\\d[-._:T\\d]*|old|bak)'
  const isRotation = new RegExp(`^${first}(?:${end}${when}|${when}${end})(?:[.]gz)?$`)
  const found = fs.readdirSync(folder).flatMap((name) => {
    const [, after, before] = (name !== path.basename(logFile) && isRotation.exec(name)) || []
    const digits = (after ?? before)?.replaceAll(/\D/g, '')
    return digits === undefined ? [] : [{ name, digits }]
  })
  const names = found.sort(compareAge).map(({ name }) => name)
  return names
    .filter((name) => !isPacked(name) || !names.includes(name.slice(0, -'.gz'.length)))
    .map((name) => path.join(folder, name))
}

/** A higher number is older, a later date is newer. Names without digits (`old`) are the newest. */
function compareAge(one: { digits: string }, other: { digits: string }): number {
  const [isDate, isOtherDate] = [one, other].map(({ digits }) => digits.length >= DATE_DIGITS)
  if (isDate !== isOtherDate) return isDate ? -1 : 1
  if (isDate) return one.digits < other.digits ? -1 : one.digits > other.digits ? 1 : 0
  return Number(other.digits) - Number(one.digits)
}

const isPacked = (file: string) => file.endsWith('.gz')

/** Everything is read from one handle: what a name means may change at any moment. Undefined: not a file. */
function openFile(file: string) {
  // A pipe would wait for its writer.
  const handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0))
  const { dev, ino, size, mtimeNs, ctimeNs } = fs.fstatSync(handle, { bigint: true })
  const isFile = fs.fstatSync(handle).isFile()
  return {
    isFile,
    size: Number(size),
    /** Is another one as soon as something is written. */
    version: [dev, ino, size, mtimeNs, ctimeNs].join('-'),
    read: (from: number, length: number) => readBytes(handle, from, length),
    close: () => fs.closeSync(handle),
  }
}
type OpenFile = ReturnType<typeof openFile>

function readBytes(handle: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, from))
}

function* piecesOf(file: OpenFile, from: number): Generator<Buffer> {
  for (let offset = from; ; ) {
    const piece = file.read(offset, PART)
    if (!piece.length) return
    offset += piece.length
    yield piece
  }
}

async function* withoutFirst(pieces: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let skipped = 0
  for await (const piece of pieces) {
    const kept = piece.subarray(Math.min(piece.length, length - skipped))
    skipped += piece.length - kept.length
    if (kept.length) yield kept
  }
}

/** The first bytes of what is packed. A file that is still being packed has fewer. */
const headOfPacked = (file: OpenFile) =>
  gunzipSync(file.read(0, PACKED_HEAD), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD)

/** What is packed cannot be unpacked. */
const isDamage = (error: unknown) => (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true

/** A packed file ends in the length of what is packed. */
const endsAt = (file: OpenFile, offset: number) =>
  file.size > 4 && file.read(file.size - 4, 4).readUInt32LE() === offset % 2 ** 32

const NOTHING = Buffer.alloc(0)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

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

/** Puts what follows in a file into the spool: whole lines, and an unfinished last one if `takesRest`. Returns whether one is left. */
async function readOn(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  begun: Reading,
  spool: Spool,
  takesRest: boolean,
): Promise<boolean> {
  let reading = begun
  let waiting = Buffer.alloc(0)
  function take(length: number): void {
    const bytes = waiting.subarray(0, length)
    const text = textOf(bytes)
    const { name, position } = reading
    const head = Buffer.from(reading.head, 'base64')
    const after: Reading = {
      ...reading,
      head: Buffer.concat([head, bytes.subarray(0, HEAD - head.length)]).toString('base64'),
      offset: reading.offset + length,
      position: position + Buffer.byteLength(text),
    }
    if (text) spool.add({ observation: { file: name, position, text }, after })
    else spool.remember(after)
    // Only now: on a full disk the same bytes are taken again.
    reading = after
    waiting = waiting.subarray(length)
  }
  const takeLines = (bytes: Buffer, orElse: number) => {
    const length = bytes.lastIndexOf(10) + 1 || orElse
    if (length) take(length)
  }
  try {
    for await (const piece of pieces) {
      waiting = Buffer.concat([waiting, piece])
      while (waiting.length >= PART) takeLines(waiting.subarray(0, PART), PART)
    }
  } finally {
    // Of a packed file that is damaged, what can be read is taken.
    takeLines(waiting, 0)
  }
  if (takesRest && waiting.length) take(waiting.length)
  return waiting.length > 0
}

/** The log and everything that it was before. */
function openLog(logFile: string, spool: Spool) {
  const begunAt = Date.now()
  /** The reading of every file that is read to its end, by version: it need not be opened again. */
  const finished = new Map<string, string>()
  /** Files that ended within a line, by version, and when that was seen first. */
  const unfinished = new Map<string, number>()
  const seenAt = new Map<string, number>()
  const complaints = new Set<string>()

  function complain(file: string, error: unknown): void {
    const complaint = `${file} cannot be read: ${(error as Error).message}`
    if (!complaints.has(complaint)) log(complaint)
    complaints.add(complaint)
  }

  /** The reading that a file goes on from: of a copy or a packed file, that of the file that it was made of. */
  function findReading(head: Buffer, isWithin: (reading: Reading) => boolean): Reading | undefined {
    const found = spool.readings().filter((reading) => {
      const known = Buffer.from(reading.head, 'base64')
      const length = Math.min(known.length, head.length)
      return known.subarray(0, length).equals(head.subarray(0, length)) && isWithin(reading)
    })
    return found.find(({ isLive }) => isLive) ?? found.sort((one, other) => other.offset - one.offset)[0]
  }

  /** Every file has a name of its own in the portal. */
  function newReading(): Reading {
    const name = `${path.basename(logFile)} ${new Date().toISOString()} ${randomBytes(4).toString('hex')}`
    return { name, head: '', offset: 0, position: 0, isLive: false }
  }

  /** Reads one file on. Returns whether something was read of a new one. */
  async function readFile(name: string, file: OpenFile, poll: number): Promise<boolean> {
    const isLive = name === logFile
    const known = finished.get(file.version)
    if (known !== undefined && !isLive) {
      seenAt.set(known, Date.now())
      return false
    }
    const head = !file.size ? NOTHING : isPacked(name) ? headOfPacked(file) : file.read(0, HEAD)
    if (!head.length) return false
    const found = findReading(head, ({ offset }) => isPacked(name) || offset <= file.size)
    if (!found && !isLive) {
      const newer = findReading(head, () => true)?.name
      // An older copy, or a file from before the first start.
      if (newer !== undefined || spool.others()?.includes(hashOf(head))) {
        finished.set(file.version, newer ?? '')
        return false
      }
    }
    const begun = found ?? newReading()
    const before: Reading = isLive ? { ...begun, isLive } : begun
    seenAt.set(before.name, Date.now())
    if (isPacked(name)) {
      finished.set(file.version, before.name)
      if (!endsAt(file, before.offset))
        await pipeline(piecesOf(file, 0), createGunzip(), (pieces: AsyncIterable<Buffer>) =>
          readOn(withoutFirst(pieces, before.offset), before, spool, true),
        )
    } else {
      const takesRest = !isLive && (unfinished.get(file.version) ?? poll) < poll
      const hasRest = await readOn(piecesOf(file, before.offset), before, spool, takesRest)
      if (hasRest && !isLive) unfinished.set(file.version, unfinished.get(file.version) ?? poll)
      else if (!isLive) finished.set(file.version, before.name)
    }
    return !found && spool.readings().some((reading) => reading.name === before.name)
  }

  /** Looks at every file once. Returns whether there was a new one. */
  async function readFiles(poll: number): Promise<boolean> {
    let hasNew = false
    let isWhole = true
    for (const name of [...listRenamed(logFile), logFile]) {
      let file: OpenFile | undefined
      try {
        file = openFile(name)
        if (file.isFile && (await readFile(name, file, poll))) hasNew = true
      } catch (error) {
        // It has just been renamed, or the log is not there yet.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
        isWhole = false
        complain(name, error)
        // A damaged file is tried again when it has changed, anything else the next time.
        if (file && !isDamage(error)) finished.delete(file.version)
        else if (file && !finished.has(file.version)) finished.set(file.version, '')
      } finally {
        file?.close()
      }
    }
    if (isWhole) forgetRemoved()
    return hasNew
  }

  function forgetRemoved(): void {
    for (const { name, isLive } of spool.readings())
      if (!isLive && Date.now() - (seenAt.get(name) ?? begunAt) > KEPT_AFTER_REMOVAL) spool.forget(name)
  }

  /** Files that were renamed before the collector ever ran are not its own. */
  function noteOthers(): void {
    const hashes = listRenamed(logFile).flatMap((name) => {
      let file: OpenFile | undefined
      try {
        file = openFile(name)
        const head = !file.isFile ? NOTHING : isPacked(name) ? headOfPacked(file) : file.read(0, HEAD)
        return head.length ? [hashOf(head)] : []
      } catch {
        return []
      } finally {
        file?.close()
      }
    })
    spool.saveOthers(hashes)
  }

  let polls = 0
  return {
    /** Reads what was added, until no file is new: the log may be renamed while it is read. */
    async read(): Promise<void> {
      polls += 1
      if (!spool.others()) noteOthers()
      while (await readFiles(polls));
    },
  }
}

async function callLmstat([command = '', ...words]: readonly string[], spool: Spool): Promise<void> {
  const { stdout } = await run(command, words, { timeout: 50_000, maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: { stdout?: string; message: string }) => {
      log(`lmstat failed: ${error.message}`)
      return { stdout: error.stdout ?? '' }
    },
  )
  if (stdout.trim() && spool.countOutputs() < MAX_OUTPUTS)
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
    const said = (await answer.json().catch(() => ({}))) as {
      code?: string
      err?: string
      data?: { outcome: string }[]
    }
    // Without a code, a proxy refused the entry: it may be told to let larger ones pass.
    if (said.code !== undefined && (answer.status === 400 || answer.status === 413)) {
      log(`set aside ${name}: ${answer.status} ${said.err ?? ''}`)
      spool.setAside(name)
      continue
    }
    if (!answer.ok) throw new Error(`${answer.status} ${said.err ?? 'of something else than the portal'}`)
    const outcome = said.data?.[0]?.outcome
    // A proxy or a sign-in page may answer in place of the portal, which has not got the entry then.
    if (outcome === undefined) throw new Error(`${answer.status}, but not an answer of the portal`)
    if (outcome === 'conflict' || outcome === 'refused') {
      log(`set aside ${name}: ${outcome}`)
      spool.setAside(name)
    } else spool.remove(name)
  }
}

/** The last line of an options file of the portal: which one it is, and length and hash of everything before it. */
type Seal = {
  readonly daemon: string
  readonly version: number
  readonly edition: number
  readonly day: string
  readonly sha256: string
  /** Nothing follows, and the lines before it are as they were sealed. */
  readonly isWhole: boolean
}

const SEAL = '# licensing-portal '

function sealOf(bytes: Buffer): Seal | undefined {
  const start = bytes.lastIndexOf(`\n${SEAL}`) + 1
  const first = start === 0 && !bytes.toString('utf8', 0, SEAL.length).startsWith(SEAL) ? -1 : start
  if (first < 0) return undefined
  const [line = '', ...after] = bytes.toString('utf8', first).split('\n')
  const words = new Map(
    line
      .slice(SEAL.length)
      .trim()
      .split(' ')
      .map((word) => word.split('=') as [string, string]),
  )
  const text = bytes.subarray(0, first)
  const [version, edition, length] = ['version', 'edition', 'bytes'].map((name) => Number(words.get(name)))
  const sha256 = hashOf(text)
  if (!version || !edition) return undefined
  return {
    daemon: words.get('daemon') ?? '',
    version,
    edition,
    day: words.get('day') ?? '',
    sha256,
    isWhole: after.length === 1 && after[0] === '' && length === text.length && words.get('sha256') === sha256,
  }
}

type Report = {
  readonly sha256: string
  readonly version: number
  readonly day: string
  readonly outcome: 'installed' | 'failed' | 'refused'
  readonly message: string
  readonly isSent: boolean
}
/** Outlives the collector, so that a kill loses no report. `read`: the hash of the file that the vendor daemon has read. */
type OptionsState = { readonly read?: string; readonly report?: Report }

/**
 * Installs the options file of the portal. The last line of the file on the disk says which one it is, so nothing has to be remembered:
 * whatever was interrupted goes on from what is there.
 */
function createInstaller(config: Config, { file, daemon, reread }: OptionsConfig) {
  const stateFile = path.join(config.folder, 'options.json')
  const machine = os.hostname().replaceAll(/[^\w.-]/g, '-') || 'unknown'
  /** The answer that there is no options file, which is logged once. */
  let notFound = ''
  let state: OptionsState = fs.existsSync(stateFile) ? JSON.parse(fs.readFileSync(stateFile, 'utf8')) : {}

  function remember(changes: OptionsState): void {
    state = { ...state, ...changes }
    writeWhole(stateFile, JSON.stringify(state))
  }

  /** Says the same only once. */
  function note({ sha256, version, day }: Seal, outcome: Report['outcome'], message = ''): void {
    const { report } = state
    if (report?.sha256 === sha256 && report.outcome === outcome && report.message === message) return
    log(`options file: version ${version} ${outcome} ${message}`)
    remember({ report: { sha256, version, day, outcome, message, isSent: false } })
  }

  const request = (address: string, more: RequestInit & { headers?: Record<string, string> }) =>
    fetch(`${config.portal}/api/license-servers/options/${address}`, {
      ...more,
      headers: { authorization: `Bearer ${config.token}`, 'x-requested-with': 'collector', ...more.headers },
      signal: AbortSignal.timeout(60_000),
    })
  const named = { customerNumber: config.customerNumber, serverId: config.serverId, daemon }

  /** Returns whether the file that is there is the one of the portal. */
  async function fetchNewer(current: Buffer | undefined): Promise<boolean> {
    const installed = current && sealOf(current)
    if (installed && installed.daemon !== daemon) throw new Error(`${file} is of the vendor daemon ${installed.daemon}`)
    const answer = await request(`file?${new URLSearchParams(named)}`, {
      headers: installed?.isWhole ? { 'if-none-match': `"${installed.sha256}"` } : {},
    })
    // Nothing was saved in the portal yet, or a setting is wrong.
    if (answer.status === 404) {
      const text = await answer.text()
      if (text !== notFound) log(`options file not found: ${text}`)
      notFound = text
      return false
    }
    notFound = ''
    if (answer.status === 304) return true
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const seal = sealOf(bytes)
    if (!seal?.isWhole || seal.daemon !== daemon)
      throw new Error('the file is not complete, or of another vendor daemon')
    if (installed && !isNewer(seal, installed)) {
      const reason = installed.isWhole
        ? `Not newer than version ${installed.version} of ${installed.day}, which is installed.`
        : `The file was changed on this machine after version ${installed.version} was installed. Save a new version to replace it.`
      note(seal, 'refused', reason)
      return false
    }
    try {
      if (current) writeWhole(`${file}.previous`, current)
      writeWhole(file, bytes)
      return true
    } catch (error) {
      note(seal, 'refused', (error as Error).message)
      return false
    }
  }

  /** What is installed but not read is read now, also if that was missed because of a kill. */
  async function tellDaemon(isCurrent: boolean): Promise<void> {
    const seal = sealOf(readIfThere(file) ?? NOTHING)
    if (!seal?.isWhole) return
    if (state.read === seal.sha256) {
      // What was refused before is installed after all, or not wanted any more.
      if (isCurrent && state.report?.outcome === 'refused') note(seal, 'installed')
      return
    }
    const fault = reread ? await runReread(reread) : ''
    if (fault) return note(seal, 'failed', fault.slice(0, MAX_MESSAGE))
    note(seal, 'installed', reread ? '' : 'The vendor daemon reads it when it is started again: REREAD is not set.')
    remember({ read: seal.sha256 })
  }

  async function send(): Promise<void> {
    if (!state.report || state.report.isSent) return
    const { isSent: _, message, ...report } = state.report
    const answer = await request('installed', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...named, machine, ...report, ...(message ? { message } : {}) }),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    remember({ report: { ...state.report, isSent: true } })
  }

  return async (): Promise<void> => {
    const isCurrent = await fetchNewer(readIfThere(file)).catch((error: Error) => {
      log(`options file not fetched: ${error.message}`)
      return false
    })
    await tellDaemon(isCurrent)
    await send()
  }
}

/** Returns the text of the fault, if there is one. */
async function runReread([command = '', ...words]: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(command, words, { timeout: 120_000, maxBuffer: 1024 * 1024 })
    // lmreread may end with 0 although it failed; its messages end in an error number.
    return /\(-\d+,\d+/.test(stdout + stderr) ? (stdout + stderr).trim() : ''
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    return (stdout + stderr).trim() || message
  }
}

/** Characters of a fault that the portal takes. */
const MAX_MESSAGE = 2000

function readIfThere(file: string): Buffer | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file) : undefined
}

/** A file that was changed by hand gives way only to a change in the portal, not to the next day. */
function isNewer(seal: Seal, installed: Seal): boolean {
  if (seal.edition !== installed.edition) return seal.edition > installed.edition
  return installed.isWhole && seal.day > installed.day
}

const config = readConfig(process.env)
const spool = openSpool(config.folder)
const logFiles = config.log ? openLog(config.log, spool) : undefined
// Whoever read what this prints may be gone.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
const install = config.options && createInstaller(config, config.options)
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopping = true))
log(`reading ${config.log ?? 'no log'}, sending to ${config.portal} every ${config.interval / 1000} s`)
while (!isStopping) {
  try {
    await logFiles?.read()
    if (config.lmstat) await callLmstat(config.lmstat, spool)
    await sendAll(config, spool)
  } catch (error) {
    log(`not sent, trying again: ${(error as Error).message}`)
  }
  await install?.().catch((error: Error) => log(`options file not reported, trying again: ${error.message}`))
  for (let waited = 0; waited < config.interval && !isStopping; waited += 1000)
    await sleep(Math.min(1000, config.interval - waited))
}
