import type { LifecycleEvent } from '#domain/license-use/logs/log-events.ts'

type Said = { readonly event: LifecycleEvent; readonly daemon: string | null }

/** Starts, ends and rereads of lmgrd and its vendor daemons. */
export function parseLifecycle(daemon: string, message: string): Said | null {
  if (/\bquorum\b/i.test(message) && /\blost\b/i.test(message)) return { event: 'quorum-lost', daemon: null }
  if (daemon !== 'lmgrd') return null
  if (/^FLEX.* started on /i.test(message)) return { event: 'lmgrd-start', daemon: null }
  const [, restarted, started] = /^(REStarted|Started) (\S+)/.exec(message) ?? []
  if (restarted && started)
    return { event: restarted === 'Started' ? 'daemon-start' : 'daemon-restart', daemon: started }
  const exited = /^(\S+) exited\b/.exec(message)?.[1]
  if (exited) return { event: 'daemon-exit', daemon: exited }
  if (/^SHUTDOWN request from /.test(message)) return { event: 'shutdown', daemon: null }
  if (/^EXITING DUE TO SIGNAL/.test(message)) return { event: 'lmgrd-exit', daemon: null }
  if (/^Rereading license file/.test(message)) return { event: 'reread', daemon: null }
  return null
}

const OPTIONS_MESSAGE =
  /^(?:Using options file|Max borrow interval|RESERV(?:ING|ATION)\b|MAX \d|(?:INCLUDE|EXCLUDE)(?:ALL|_BORROW|_ENTITLEMENT)? |LINGER\b|NOLOG\b|.*\bTIMEOUT set to )/

/** What a vendor daemon says about its options file. */
export function isOptionsMessage(daemon: string, message: string): boolean {
  return daemon !== 'lmgrd' && OPTIONS_MESSAGE.test(message)
}

/** lmgrd begins its log with these, before it says that it has started. */
export function isBannerLine(daemon: string, message: string): boolean {
  return daemon === 'lmgrd' && (/^-{10,}\s*$/.test(message) || message.startsWith("Server's System Date and Time"))
}
