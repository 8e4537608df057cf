import type { Kysely, Transaction } from 'kysely'
import type { Decision } from '#domain/access/can.ts'
import type { Actor } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'

export type Message<Payload extends object = object> = {
  readonly id: string
  readonly payload: Payload
  /** When it was queued, or sent again by staff: delivery is tried for so long from here. */
  readonly triedSince: Date
}

/** The outcome of an attempt. Delivered messages leave the outbox. */
export type Outcome = { readonly at: Date; readonly attempts: number; readonly trouble: string } & (
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'queued'; readonly nextAttemptAt: Date }
)

/** One kind of message in the outbox: how it is delivered, and how the outcome is recorded. */
export type Lane<Payload extends object = object> = {
  readonly lane: string
  /** What a message is called in texts: "mail". */
  readonly noun: string
  /**
   * Delivers a message or throws; an `UndeliverableError` is not tried again. `trouble` is a problem of a message that was
   * delivered all the same. Absent in a process that delivers no messages of this lane.
   */
  deliver?(message: Message<Payload>, tx: Transaction<DB>): Promise<{ readonly trouble?: string }>
  /** Records the outcome of an attempt in the lane's own tables. */
  recordAttempt?(tx: Transaction<DB>, message: Message<Payload>, outcome: Outcome): Promise<void>
  /** Keeps that a failed message is queued again. */
  recordResend?(tx: Transaction<DB>, message: Message<Payload>): Promise<void>
  /** The right on an account that sending this message again needs; without it, anyone who may use the outbox can. */
  mayResend?(db: Kysely<DB>, actor: Actor, message: Message<Payload>): Promise<Decision>
  /** Interrupts a delivery and releases connections. */
  close?(): void
}
export type AnyLane = Lane<never>

export function defineLane<Payload extends object>(lane: Lane<Payload>): Lane<Payload> {
  return lane
}

/** Thrown when a retry would not help. */
export class UndeliverableError extends Error {}
