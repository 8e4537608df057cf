import { type LmstatHolder, resolveStart, splitHolder } from '#domain/license-use/lmstat-user.ts'
import { dayOf, formatDay, parseExpiry } from '#domain/license-use/local-time.ts'
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
const CODE = /\s*\((-?\d+),[^)]*\)\s*$/
const SERVER_UP = /^\s*(\S+): license server UP(?: \((MASTER)\))?(?: v(\S+))?/
const USER =
  /^\s*(.+) \(v([^()]*)\) \((\S+)\/(\S+) (\d+)\)(?:, start (\w{3}) (\d{1,2})\/(\d{1,2}) (\d{1,2}):(\d\d)(:\d\d)?\s*(.*)| queued for (\d+) licenses?\s*)$/

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
      statusDay = dayOf(Number(year), Number(isDayFirst ? second : first), Number(isDayFirst ? first : second))
      result.statusAt = statusDay === null ? null : `${formatDay(statusDay)}T${hour.padStart(2, '0')}:${minute}`
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
    const files = /^\s*License file\(s\) on [^:]+: (.*?):?\s*$/.exec(text)?.[1]
    if (files !== undefined) {
      currentBlock().licenseFiles = files
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
    const head = /^\s*Users of (.+?):\s+(\(.*|Cannot get users of .*)$/.exec(text)
    if (head) {
      feature = toFeature(head[1] ?? '', head[2] ?? '')
      currentBlock().features.push(feature)
      return
    }
    if (/^\s*Users of /.test(text)) return problem('unreadable')
    if (!feature) return
    const pool = /^\s*"(.*)" v(\S+), vendor: ([^,\s]+)(?:, expiry: (.+?))?\s*$/.exec(text)
    if (pool) {
      const [, , version = '', vendor = '', expiry] = pool
      feature.pools.push({ version, vendor, expires: expiry ? parseExpiry(expiry) : null, type: null })
      return
    }
    const type = /^\s*(floating|nodelocked|uncounted nodelocked|[\w ]+?) license\b/.exec(text)?.[1]
    const last = feature.pools.at(-1)
    if (type !== undefined && last && !/\(v/.test(text)) {
      last.type = type
      return
    }
    const reserved = /^\s*(\d+) RESERVATIONs? for (\S+) (.+?) \(\S+\/\S+\)\s*$/.exec(text)
    if (reserved) {
      const [, count, kind = '', name = ''] = reserved
      feature.reserved.push({ count: Number(count), type: kind, name, pool: poolIndex(feature) })
      return
    }
    if (/^\s*vendor_string:/.test(text)) return
    readUser(text, feature, isComplete)
  }

  function readUser(text: string, of: LmstatFeature, isComplete: boolean) {
    const user = USER.exec(text)
    if (!user) {
      if (!isComplete) problem('truncated')
      else if (/\(v[^()]*\)/.test(text) || /RESERVATION/.test(text)) problem('unreadable')
      return
    }
    const [
      ,
      who = '',
      version = '',
      server = '',
      port = '',
      handle,
      weekday = '',
      month,
      day,
      hour = '',
      minute,
      seconds = '',
    ] = user
    const seat = { ...splitHolder(who, version), version, server, port, handle: Number(handle), pool: poolIndex(of) }
    if (user[13] !== undefined) {
      of.queued.push({ ...seat, count: Number(user[13]) })
      return
    }
    const clock = `${hour.padStart(2, '0')}:${minute}${seconds}`
    const started = resolveStart({ weekday, month: Number(month), day: Number(day), clock }, statusDay)
    if (started.problem) problem(started.problem)
    const notes = user[12] ?? ''
    const [, first, second] = /\(linger: (\d+)(?: \/ (\d+))?\)/.exec(notes) ?? []
    of.users.push({
      ...seat,
      start: started.start,
      count: Number(/^,? ?(\d+) licenses?\b/.exec(notes)?.[1] ?? 1),
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
    read({ text, isComplete }: TextLine): void {
      lineNumber += 1
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
  return { ...feature, state: 'error', error: toError(said.replace(/^Cannot get users of .+?: /, '')) }
}

function toError(said: string) {
  return { text: said.replace(CODE, '').trim(), code: codeOf(said) }
}

function codeOf(said: string): number | null {
  return numberOr(CODE.exec(said)?.[1])
}

function numberOr(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}

function poolIndex(feature: LmstatFeature): number | null {
  return feature.pools.length ? feature.pools.length - 1 : null
}
