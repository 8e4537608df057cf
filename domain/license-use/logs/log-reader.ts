import { areNamesShort } from '#domain/license-use/foreign-limits.ts'
import {
  createDenialBursts,
  type DenialBurstsState,
  renameDeniedUsers,
} from '#domain/license-use/logs/denial-bursts.ts'
import { denialCause } from '#domain/license-use/logs/denial-cause.ts'
import { hideUsers, hideUsersOfMessage } from '#domain/license-use/logs/hidden-users.ts'
import { absoluteSeconds, type LocalTime } from '#domain/license-use/logs/local-time.ts'
import { createLogClock, type LogClockState } from '#domain/license-use/logs/log-clock.ts'
import type { LogEvent, LogProblem } from '#domain/license-use/logs/log-events.ts'
import { isBannerLine, isOptionsMessage, parseLifecycle } from '#domain/license-use/logs/log-lifecycle.ts'
import {
  isContinuation,
  isSeatMessage,
  type LogLine,
  mayContinue,
  parseLogLine,
  parseSeatEvent,
} from '#domain/license-use/logs/log-line.ts'
import {
  createOpenCheckouts,
  type OpenCheckoutsState,
  renameOpenUsers,
} from '#domain/license-use/logs/open-checkouts.ts'
import { createRepeatedRuns, type RepeatedRunsState } from '#domain/license-use/logs/repeated-runs.ts'
import type { TextLine } from '#domain/license-use/text-lines.ts'

/** A line that matters, before its event is made. `day` counts from the first line while no date is known. */
type Item = {
  readonly line: number
  readonly daemon: string
  readonly message: string
  readonly time: Moment
  /** The line before, or before the banner of a start. */
  readonly before: Moment | null
}
type Moment = { readonly day: number; readonly seconds: number; readonly offset: string | null }

/** Everything that a reader knows between two pieces of a log, as JSON. */
export type LogReaderState = {
  readonly line: number
  readonly lastId: number
  readonly clock: LogClockState
  readonly open: OpenCheckoutsState
  readonly bursts: DenialBurstsState
  readonly runs: RepeatedRunsState
  readonly pending: Item | null
  readonly held: readonly Item[]
  readonly previous: Moment | null
  readonly beforeBanner: Moment | null
  readonly isShutDown: boolean
}

/** Lines before the first date wait for it. A date comes every six hours; more than this is no log with dates. */
const MAX_HELD = 50_000
/** In characters: every later piece of the log reads the lines again that wait, however short it is. */
const MAX_HELD_TEXT = 4 * 1024 * 1024

type LogReaderOptions = {
  readonly isDayFirst?: boolean
  /** Another name for each user, such as a pseudonym. The state then names no user otherwise. */
  readonly rename?: ((user: string) => string) | undefined
}

export type LogReader = {
  read(line: TextLine): void
  /** The piece ends. An event that may go on in the next piece waits. */
  pause(): void
  /** The log ends: nothing waits any longer. */
  end(): void
  state(): LogReaderState
  /** The time of the last line that had one. */
  lastTime(): LocalTime | null
}

/** Reads a debug log of any length line by line. Memory grows with the seats that are out, not with the log. */
export function createLogReader(
  report: (event: LogEvent, line: number) => void,
  from: Partial<LogReaderState> = {},
  { isDayFirst = false, rename }: LogReaderOptions = {},
): LogReader {
  /** The line whose event is applied. */
  let appliedLine = 0
  const emit = (event: LogEvent) => report(event, appliedLine)
  let {
    line: lineNumber = 0,
    lastId = 0,
    pending = null,
    previous = null,
    beforeBanner = null,
    isShutDown = false,
  } = from
  let held: Item[] = [...(from.held ?? [])]
  let heldText = held.reduce((length, item) => length + textLength(item), 0)
  const nextId = () => {
    lastId += 1
    return lastId
  }
  const clock = createLogClock(from.clock ?? { isDayFirst })
  const checkouts = createOpenCheckouts(emit, nextId, from.open)
  const bursts = createDenialBursts(emit, nextId, from.bursts)
  const runs = createRepeatedRuns(take, (line) => emit({ kind: 'problem', line, code: 'repeated-lines' }), from.runs)

  /** A line is looked at twice: for the order of its time, and for what it says. */
  let parsedText = ''
  let parsedLine: LogLine | null = null
  function parse(text: string) {
    if (text !== parsedText) {
      parsedText = text
      parsedLine = parseLogLine(text)
    }
    return parsedLine
  }

  function flushPending() {
    const item = pending
    pending = null
    if (item) pass(item)
  }

  function pass(item: Item) {
    if (clock.isDated()) return apply(item, true)
    held.push(item)
    heldText += textLength(item)
    if (held.length > MAX_HELD || heldText > MAX_HELD_TEXT) releaseUndated()
  }

  function releaseUndated() {
    if (held.length) emit({ kind: 'problem', line: held[0]?.line ?? null, code: 'no-date' })
    for (const item of held) apply(item, false)
    held = []
    heldText = 0
  }

  function take(text: string, line: number, isComplete: boolean): void {
    const parsed = parse(text)
    if (!parsed) {
      if (pending && isContinuation(text))
        pending = { ...pending, message: `${pending.message.trimEnd()} ${text.trim()}` }
      flushPending()
      return
    }
    flushPending()
    const { time, isBack, shift, turnsDayFirst } = clock.next(parsed)
    if (turnsDayFirst) emit({ kind: 'problem', line, code: 'day-first' })
    if (isBack) emit({ kind: 'problem', line, code: 'clock-back' })
    if (shift !== null) {
      const dated = held.map((item) => shifted(item, shift))
      held = []
      previous = previous && shiftedMoment(previous, shift)
      beforeBanner = beforeBanner && shiftedMoment(beforeBanner, shift)
      for (const item of dated) apply(item, true)
    }
    const { daemon, message } = parsed
    const moment = { ...time, day: time.day ?? clock.relativeDay() }
    if (isBannerLine(daemon, message)) beforeBanner ??= previous
    else if (daemon !== 'lmgrd') beforeBanner = null
    const item = { line, daemon, message, time: moment, before: beforeBanner ?? previous }
    previous = moment
    if (isSeatMessage(message)) {
      if (!isComplete) emit({ kind: 'problem', line, code: 'truncated' })
      else {
        pending = item
        if (!mayContinue(message)) flushPending()
      }
    } else if (parseLifecycle(daemon, message) || isOptionsMessage(daemon, message)) pass(item)
  }

  function apply(item: Item, isDated: boolean) {
    const at = (moment: Moment): LocalTime => (isDated ? moment : { ...moment, day: null })
    const { daemon, message } = item
    appliedLine = item.line
    const time = at(item.time)
    const unreadable = () => emit({ kind: 'problem', line: item.line, code: 'unreadable-event' })
    if (!areNamesShort(daemon)) return unreadable()
    if (isSeatMessage(message)) return applySeat(item, time)
    const lifecycle = parseLifecycle(daemon, message)
    if (!lifecycle) return emit({ kind: 'options-message', time, daemon, text: message.trimEnd() })
    const { event, daemon: named } = lifecycle
    if (!areNamesShort(named)) return unreadable()
    if (event === 'lmgrd-start') {
      const before = item.before ? at(item.before) : time
      checkouts.closeAll(null, before, 'lmgrd-start', isShutDown ? null : time)
      beforeBanner = null
      isShutDown = false
    }
    if (event === 'daemon-exit' || event === 'daemon-restart') checkouts.closeAll(named, time, event)
    if (event === 'quorum-lost') checkouts.closeAll(null, time, event)
    if (event === 'shutdown' || event === 'lmgrd-exit') isShutDown = true
    emit({ kind: 'lifecycle', time, event, daemon: named })
  }

  function applySeat({ daemon, message, line }: Item, time: LocalTime) {
    const seat = parseSeatEvent(message)
    if (!seat) return emit({ kind: 'problem', line, code: 'unreadable-event' })
    const { word, feature, user, host, data, count } = seat
    if (word === 'DENIED' || word === 'UNSUPPORTED') {
      const { version, code, text } = seat
      const cause = denialCause(word, code)
      bursts.denied({ time, event: word, daemon, feature, user, host, count, version, code, text, cause })
      return
    }
    const key = { daemon, feature, user, host: host ?? '', data }
    if (word === 'OUT') {
      if (!checkouts.out(key, count, time)) emit({ kind: 'problem', line, code: 'too-many-open' })
      bursts.out(key, absoluteSeconds(time))
    } else if (word === 'IN') checkouts.in(key, count, time, seat.flag)
    else emit({ kind: 'queue', time, event: word, daemon, feature, user, host: key.host, count })
  }

  return {
    read({ text: said, isComplete, hasNulBytes, isTooLong }) {
      lineNumber += 1
      if (isTooLong) return emit({ kind: 'problem', line: lineNumber, code: 'too-long' })
      const text = rename ? hideUsers(said, rename) : said
      if (hasNulBytes) emit({ kind: 'problem', line: lineNumber, code: 'nul-bytes' })
      if (text.trim()) runs.read(text, lineNumber, isComplete, parse(text)?.seconds ?? null)
    },
    pause() {
      if (pending && !mayContinue(pending.message)) flushPending()
    },
    end() {
      runs.end()
      flushPending()
      releaseUndated()
    },
    state: () => ({
      line: lineNumber,
      lastId,
      clock: clock.state(),
      open: checkouts.state(),
      bursts: bursts.state(),
      runs: runs.state(),
      pending,
      held,
      previous,
      beforeBanner,
      isShutDown,
    }),
    lastTime: () => (previous && clock.isDated() ? previous : null),
  }
}

const textLength = ({ daemon, message }: Item) => daemon.length + message.length

function shifted(item: Item, days: number): Item {
  return { ...item, time: shiftedMoment(item.time, days), before: item.before && shiftedMoment(item.before, days) }
}

function shiftedMoment(moment: Moment, days: number): Moment {
  return { ...moment, day: moment.day + days }
}

type WaitingLine = { readonly line: number; readonly code: LogProblem }

/** Lines that are not read yet: without a date, or at the end of a log, where more may follow. `hasRest`: its last line has no end. */
export function listWaiting(
  { line: lines = 0, held = [], runs, pending }: Partial<LogReaderState>,
  hasRest: boolean,
): WaitingLine[] {
  const last = [...(runs?.waiting ?? []).map(([, line]) => line), ...(pending ? [pending.line] : [])]
  return [
    ...held.map(({ line }) => ({ line, code: 'no-date' as const })),
    ...[...last, ...(hasRest ? [lines + 1] : [])].map((line) => ({ line, code: 'end-of-log' as const })),
  ]
}

/** Another name for every user that the state of a reader names. */
export function renameUsers(state: Partial<LogReaderState>, rename: (user: string) => string): Partial<LogReaderState> {
  const { open, bursts, runs, pending, held } = state
  const hidden = (text: string) => hideUsers(text, rename)
  const renamed = (item: Item) => ({ ...item, message: hideUsersOfMessage(item.daemon, item.message, rename) })
  return {
    ...state,
    ...(runs
      ? {
          runs: {
            ...runs,
            recent: runs.recent.map(hidden),
            waiting: runs.waiting.map(([text, ...rest]) => [hidden(text), ...rest] as const),
          },
        }
      : {}),
    ...(pending ? { pending: renamed(pending) } : {}),
    ...(held ? { held: held.map(renamed) } : {}),
    ...(open ? { open: renameOpenUsers(open, rename) } : {}),
    ...(bursts ? { bursts: renameDeniedUsers(bursts, rename) } : {}),
  }
}
