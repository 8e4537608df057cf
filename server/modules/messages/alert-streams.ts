import { PassThrough } from 'node:stream'
import type { Kysely } from 'kysely'
import { type Alert, isInBanner } from '#domain/messages/alerts.ts'
import { hearSignals, type Signals } from '#server/db/notifications.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { listLivingSignInSessions } from '#server/identity/sign-in-session.queries.ts'
import { IDLE_LIMIT } from '#server/identity/sign-in-session.ts'
import { toAlert } from '#server/modules/messages/alerts.mapping.ts'
import { listActiveAlerts } from '#server/modules/messages/alerts.queries.ts'
import type { Services } from '#server/services.ts'

/** Heartbeat interval: proxies close connections after about a minute of silence. */
const HEARTBEAT = 20_000
/** Maximum number of streams: a browser has one per tab, and no person has more tabs than this. */
const MAX_PER_SESSION = 20
/** A client that does not read is disconnected before its backlog fills the memory. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** `person` is the email address of who listens. */
type Stream = { readonly session: string; readonly person: string; readonly out: PassThrough }

export type AlertStreams = {
  /** A stream of server-sent events for one session: what the banner shows now, and again after every change. */
  open(session: Buffer, person: string, wait: number | undefined): Promise<PassThrough>
  close(): Promise<void>
}

/** All open streams of this process, for alerts and for seats that are free for a person. They share one database connection, taken when the first one is opened. */
export function alertStreams(services: Pick<Services, 'db' | 'pool' | 'clock'>): AlertStreams {
  const streams = new Set<Stream>()
  let signals: Signals | undefined
  let sending: Promise<void> = Promise.resolve()
  const heartbeat = setInterval(() => beat().catch(() => {}), HEARTBEAT)
  heartbeat.unref()

  const alertsEvent = async () => event('alerts', await listBannerAlerts(services.db, services.clock.now()))

  /** Serialized: an older state must never arrive after a newer one. */
  function sendAll(): void {
    sending = sending
      .then(async () => {
        if (streams.size === 0) return
        const text = await alertsEvent()
        for (const stream of streams) write(stream, text)
      })
      .catch(() => {})
  }

  function write({ out }: Stream, text: string): void {
    if (!out.writable) return
    out.write(text)
    if (out.writableLength > MAX_UNREAD_BYTES) out.destroy()
  }

  /** For whoever waits for a seat alone. Emails and Home say the same, so an offer that nobody hears is not lost. */
  function sendOffer(payload: string): void {
    const { email, ...offer } = JSON.parse(payload) as { email: string }
    for (const stream of streams) if (stream.person === email) write(stream, event('seat', offer))
  }

  function end(which: (stream: Stream) => boolean): void {
    for (const { out } of [...streams].filter(which)) if (out.writable) out.end(event('end', 'signed out'))
  }

  async function beat(): Promise<void> {
    const sessions = [...new Set([...streams].map(({ session }) => session))]
    if (sessions.length === 0) return
    const living = await listLivingSignInSessions(services.db, sessions, services.clock.now(), IDLE_LIMIT)
    end(({ session }) => !living.has(session))
    for (const stream of streams) write(stream, ':\n\n')
  }

  return {
    async open(sessionHash, person, wait) {
      const session = sessionHash.toString('hex')
      if ([...streams].filter((stream) => stream.session === session).length >= MAX_PER_SESSION)
        throw new HttpError(429, `At most ${MAX_PER_SESSION} alert streams can be open at a time`)
      const out = new PassThrough()
      if (wait === 0) return out.end(await alertsEvent())
      signals ??= hearSignals(
        services.pool,
        {
          alert: sendAll,
          session_end: (ended) => end((stream) => stream.session === ended),
          seat_offer: sendOffer,
        },
        sendAll,
      )
      const stream = { session, person, out }
      streams.add(stream)
      const timer = wait === undefined ? undefined : setTimeout(() => out.end(), wait * 1000)
      out.on('close', () => {
        streams.delete(stream)
        clearTimeout(timer)
      })
      // The first event uses the same queue as all others, so that none overtakes it.
      sending = sending
        .then(async () => write(stream, `retry: 5000\n${await alertsEvent()}`))
        .catch(() => {
          out.destroy()
        })
      return out
    },
    async close() {
      clearInterval(heartbeat)
      for (const { out } of streams) out.end()
      await signals?.close()
    },
  }
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

export async function listBannerAlerts(db: Kysely<DB>, now: Date): Promise<Alert[]> {
  const alerts = (await listActiveAlerts(db)).map(toAlert)
  return alerts.filter((alert) => isInBanner(alert, now))
}
