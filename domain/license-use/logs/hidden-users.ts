import { hasPrintedDate } from '#domain/license-use/logs/log-clock.ts'
import { isBannerLine, parseLifecycle } from '#domain/license-use/logs/log-lifecycle.ts'
import { isContinuation, isSeatMessage, parseLogLine, renameSeatUser } from '#domain/license-use/logs/log-line.ts'

type Rename = (user: string) => string

/** The beginning of a line that names nobody yet: its time, its daemon and the kind of event. */
const NAMELESS = /^[\d:T .,+Z-]*(?:\([^()\s]*\)? ?(?:(?:OUT|IN|DENIED|UNSUPPORTED|QUEUED|DEQUEUED): ?)?)?/

/** A line of a debug log with another name for its user. Of lines that say nothing about seats, starts or dates, only the time is left. */
export function hideUsers(text: string, rename: Rename): string {
  const parsed = parseLogLine(text)
  if (!parsed) return isContinuation(text) || text.trim() === '' ? text : '-'
  const { daemon, message } = parsed
  return text.slice(0, text.length - message.length) + hideUsersOfMessage(daemon, message, rename)
}

export function hideUsersOfMessage(daemon: string, message: string, rename: Rename): string {
  if (isSeatMessage(message)) return renameSeatUser(message, rename)
  if (parseLifecycle(daemon, message)) return message.replace(/^(SHUTDOWN request from ).*/, '$1')
  return hasPrintedDate(message) || isBannerLine(daemon, message) ? message : ''
}

/** The last line of a log, which may be cut within a name. The line ends before the name, so that it will not be read. */
export function hideUsersOfRest(text: string): string {
  const [nameless = ''] = NAMELESS.exec(text) ?? []
  return nameless === text ? text : `${nameless}\n`
}
