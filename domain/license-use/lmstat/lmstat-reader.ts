import { areNamesShort, isSeatCount, MAX_SEATS } from '#domain/license-use/foreign-limits.ts'
import { type LmstatHolder, resolveStart, splitHolder } from '#domain/license-use/lmstat/lmstat-user.ts'
import { errorNumberAtEnd } from '#domain/license-use/logs/error-number.ts'
import { dayOf, formatDay, isClock, parseExpiry } from '#domain/license-use/logs/local-time.ts'
import type { TextLine } from '#domain/license-use/text-lines.ts'

type Seat = LmstatHolder & {
  version: string
  server: string
  port: string
  handle: number
  pool: number | null
  count: number
}
export type LmstatUser = Seat & {
  start: string | null
  linger: { remaining: number | null; total: number } | null
  pid: number | null
}
export type LmstatFeature = {
  name: string
  state: 'counted' | 'uncounted' | 'unsupported' | 'error'
  total: number | null
  inUse: number | null
  error: { text: string; code: number | null } | null
  reserved: { count: number; type: string; name: string; pool: number | null }[]
  pools: { version: string; vendor: string; expires: string | null; type: string | null }[]
  users: LmstatUser[]
  queued: Seat[]
}
type Server = {
  host: string | null
  state: 'up' | 'down'
  master: boolean
  version: string | null
  code: number | null
}
type Daemon = { name: string; state: 'up' | 'down'; version: string | null; code: number | null }
export type LmstatBlock = {
  address: string
  licenseFiles: string | null
  servers: Server[]
  daemons: Daemon[]
  features: LmstatFeature[]
}
export type LmstatResult = {
  kind: 'lmstat'
  statusAt: string | null
  error: { text: string; code: number | null } | null
  blocks: LmstatBlock[]
  problems: { line: number | null; code: string }[]
}

const STATUS = /Flexible License Manager status on \S+ (\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d\d)/
const SERVER_UP = /^\s*(\S+): license server UP(?: \((MASTER)\))?(?: v(\S+))?/
const PLACE = /^\(v([^()]*)\) \((\S+) (\d{1,15})\)/
const STARTED = /^, start (\w{3}) (\d{1,2})\/(\d{1,2}) (\d{1,2}):(\d\d)(:\d\d)?/
const QUEUED = /^ queued for (\d+) licenses?$/
const ERROR_OF_USERS = 'Cannot get users of '

/** Reads the output of `lmstat -a` line by line. */
export function createLmstatReader() {
  const result: LmstatResult = { kind: 'lmstat', statusAt: null, error: null, blocks: [], problems: [] }
  let statusDay: number | null = null
  let lineNumber = 0
  let section: 'servers' | 'daemons' | 'features' = 'servers'
  let block: LmstatBlock | null = null
  let feature: LmstatFeature | null = null

  function currentBlock(): LmstatBlock {
    if (!block) {
      block = { address: '', licenseFiles: null, servers: [], daemons: [], features: [] }
      result.blocks.push(block)
    }
    return block
  }

  function readHead(text: string): boolean {
    const status = STATUS.exec(text)
    if (status) {
      const [, first, second, year, hour = '', minute] = status
      const isDayFirst = Number(first) > 12
      const clock = `${hour.padStart(2, '0')}:${minute}`
      statusDay = dayOf(Number(year), Number(isDayFirst ? second : first), Number(isDayFirst ? first : second))
      result.statusAt = statusDay === null || !isClock(clock) ? null : `${formatDay(statusDay)}T${clock}`
      return true
    }
    const failed = /^\s*Error getting status: (.*)$/.exec(text)?.[1]
    if (failed !== undefined) {
      result.error = toError(failed)
      return true
    }
    const address = /^\s*License server status: (.*)$/.exec(text)?.[1]
    if (address !== undefined) {
      block = null
      feature = null
      section = 'servers'
      currentBlock().address = address.trim()
      return true
    }
    const files = /^\s*License file\(s\) on [^:]+: /.exec(text)?.[0]
    if (files !== undefined) {
      currentBlock().licenseFiles = text.slice(files.length).trimEnd().replace(/:$/, '')
      return true
    }
    if (/^\s*Vendor daemon status/.test(text)) {
      section = 'daemons'
      return true
    }
    if (/^\s*Feature usage info/.test(text)) {
      section = 'features'
      return true
    }
    return false
  }

  function readServer(text: string) {
    const up = SERVER_UP.exec(text)
    const { servers } = currentBlock()
    if (up) {
      const [, host = '', master, version = null] = up
      servers.push({ host, state: 'up', master: master !== undefined, version, code: null })
      return
    }
    const code = codeOf(text)
    if (/^\s*lmgrd is not running/.test(text)) {
      servers.push({ host: null, state: 'down', master: false, version: null, code })
      return
    }
    const host = /^\s*(\S+): /.exec(text)?.[1]
    if (host && (code !== null || /\bDOWN\b/.test(text)))
      servers.push({ host, state: 'down', master: false, version: null, code })
  }

  function readDaemon(text: string) {
    const [, name, said = ''] = /^\s*(\S+): (.*)$/.exec(text) ?? []
    if (!name) return
    const up = /^UP(?: v(\S+))?/.exec(said)
    currentBlock().daemons.push(
      up
        ? { name, state: 'up', version: up[1] ?? null, code: null }
        : { name, state: 'down', version: null, code: codeOf(said) },
    )
  }

  function readFeature(text: string, isComplete: boolean) {
    const of = /^\s*Users of /.exec(text)?.[0]
    if (of !== undefined) {
      const said = text.slice(of.length)
      const head = /:\s+(?=\(|Cannot get users of )/.exec(said.slice(1))
      if (!head) return problem('unreadable')
      const read = toFeature(said.slice(0, head.index + 1), said.slice(1 + head.index + head[0].length))
      const isKept = areNamesShort(read.name) && Math.max(read.total ?? 0, read.inUse ?? 0) <= MAX_SEATS
      feature = isKept ? read : null
      if (!isKept) return problem('unreadable')
      currentBlock().features.push(read)
      return
    }
    if (!feature) return
    const pool = /^\s*"(.*)" v(\S+), vendor: ([^,\s]+)(, expiry: )?/.exec(text)
    const expiry = text.slice(pool?.[0].length).trim()
    if (pool && (pool[4] !== undefined || expiry === '')) {
      const [, , version = '', vendor = ''] = pool
      feature.pools.push({ version, vendor, expires: expiry ? parseExpiry(expiry) : null, type: null })
      return
    }
    const type = /^([\w ]+?) license\b/.exec(text.trimStart())?.[1]
    const last = feature.pools.at(-1)
    if (type !== undefined && last && !/\(v/.test(text)) {
      last.type = type
      return
    }
    const reserved = parseReservation(text)
    if (reserved) {
      if (!isSeatCount(reserved.count)) return problem('unreadable')
      feature.reserved.push({ ...reserved, pool: poolIndex(feature) })
      return
    }
    if (/^\s*vendor_string:/.test(text)) return
    readUser(text, feature, isComplete)
  }

  function readUser(text: string, of: LmstatFeature, isComplete: boolean) {
    const user = parseUser(text)
    if (!user) {
      if (!isComplete) problem('truncated')
      else if (/\(v[^()]*\)/.test(text) || /RESERVATION/.test(text)) problem('unreadable')
      return
    }
    const { who, version, server, port, handle, queued, started } = user
    const seat = { ...splitHolder(who, version), version, server, port, handle, pool: poolIndex(of) }
    const count = queued ?? Number(/^,? ?(\d+) licenses?\b/.exec(started.notes)?.[1] ?? 1)
    if (!isSeatCount(count) || !areNamesShort(of.name, seat.user, seat.host)) return problem('unreadable')
    if (queued !== null) {
      of.queued.push({ ...seat, count })
      return
    }
    const { notes, ...words } = started
    const found = resolveStart(words, statusDay)
    if (found.problem) problem(found.problem)
    const [, first, second] = /\(linger: (\d+)(?: \/ (\d+))?\)/.exec(notes) ?? []
    of.users.push({
      ...seat,
      start: found.start,
      count,
      linger:
        first === undefined
          ? null
          : { remaining: second === undefined ? null : Number(first), total: Number(second ?? first) },
      pid: numberOr(/\bPID: (\d+)/.exec(notes)?.[1]),
    })
  }

  function problem(code: string) {
    result.problems.push({ line: lineNumber, code })
  }

  return {
    read({ text, isComplete, isTooLong }: TextLine): void {
      lineNumber += 1
      if (isTooLong) return void problem('too-long')
      if (!text.trim() || readHead(text)) return
      if (section === 'features') readFeature(text, isComplete)
      else if (/^\s*Users of /.test(text)) {
        section = 'features'
        readFeature(text, isComplete)
      } else if (section === 'daemons') readDaemon(text)
      else if (block) readServer(text)
    },
    result: (): LmstatResult => result,
  }
}

type Started = { weekday: string; month: number; day: number; clock: string; notes: string }
type UserLine = Pick<Seat, 'version' | 'server' | 'port' | 'handle'> & { who: string } & (
    | { queued: number; started: null }
    | { queued: null; started: Started }
  )

/** `ann pc1 :0 (v26.1) (lic1/27000 101), start Mon 3/9 9:30, …`. Names may hold what looks like a version, so the last one counts. */
function parseUser(text: string): UserLine | null {
  for (let at = text.lastIndexOf(' (v'); at > 0; at = text.lastIndexOf(' (v', at - 1)) {
    const [place = '', version = '', address = '', handle] = PLACE.exec(text.slice(at + 1)) ?? []
    const slash = address.lastIndexOf('/', address.length - 2)
    if (slash < 1) continue
    const seat = { version, server: address.slice(0, slash), port: address.slice(slash + 1), handle: Number(handle) }
    const rest = text.slice(at + 1 + place.length)
    const queued = QUEUED.exec(rest.trimEnd())?.[1]
    if (queued !== undefined) return { who: text.slice(0, at), ...seat, queued: Number(queued), started: null }
    const started = STARTED.exec(rest)
    if (!started) continue
    const [all, weekday = '', month, day, hour = '', minute, seconds = ''] = started
    const clock = `${hour.padStart(2, '0')}:${minute}${seconds}`
    const notes = rest.slice(all.length).trimStart()
    const words = { weekday, month: Number(month), day: Number(day), clock, notes }
    return { who: text.slice(0, at), ...seat, queued: null, started: words }
  }
  return null
}

/** `2 RESERVATIONs for GROUP night (lic1/27000)` */
function parseReservation(text: string): { count: number; type: string; name: string } | null {
  const [all, count, type = ''] = /^\s*(\d+) RESERVATIONs? for (\S+) /.exec(text) ?? []
  if (all === undefined) return null
  const said = text.slice(all.length).trimEnd()
  const at = said.lastIndexOf(' (')
  const address = said.slice(at + 2, -1)
  const isAddress = said.endsWith(')') && !/\s/.test(address) && address.slice(1, -1).includes('/')
  return at > 0 && isAddress ? { count: Number(count), type, name: said.slice(0, at) } : null
}

function toFeature(name: string, said: string): LmstatFeature {
  const feature = { name, total: null, inUse: null, error: null, reserved: [], pools: [], users: [], queued: [] }
  const issued = /^\(Total of (\d+) licenses? issued;\s+Total of (\d+) licenses? in use\)/.exec(said)
  if (issued) return { ...feature, state: 'counted', total: Number(issued[1]), inUse: Number(issued[2]) }
  const available = /^\(Total of (\d+) licenses? available\)/.exec(said)?.[1]
  if (available !== undefined) return { ...feature, state: 'counted', total: Number(available) }
  if (/^\(Uncounted\b/.test(said)) return { ...feature, state: 'uncounted' }
  const unsupported = /^\(Error: (\d+) licenses?, (.*)\)/.exec(said)
  if (unsupported) {
    const error = { text: unsupported[2] ?? '', code: null }
    return { ...feature, state: 'unsupported', total: Number(unsupported[1]), error }
  }
  const named = said.startsWith(ERROR_OF_USERS) ? said.indexOf(': ', ERROR_OF_USERS.length + 1) : -1
  return { ...feature, state: 'error', error: toError(named < 0 ? said : said.slice(named + 2)) }
}

function toError(said: string) {
  const number = errorNumberAtEnd(said)
  return { text: (number ? said.slice(0, number.index) : said).trim(), code: number?.code ?? null }
}

const codeOf = (said: string) => errorNumberAtEnd(said)?.code ?? null

function numberOr(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}

function poolIndex(feature: LmstatFeature): number | null {
  return feature.pools.length ? feature.pools.length - 1 : null
}
