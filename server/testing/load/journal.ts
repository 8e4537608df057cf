import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { saveActivations } from '#contract/activations/plans/start-plans.ts'
import { endSession, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { orderEntitlements } from '#contract/fsa/order-entitlements.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { checkInWebLicense, startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { type Random, seededRandom } from '#server/demo/random.ts'
import { checkoutOf, orderOf, savedSeats, sessionOf } from '#server/testing/load/load-requests.ts'
import { ELASTIC_PRODUCTS, type LoadAccount, seatsOf, usageOf } from '#server/testing/load/load-world.ts'
import {
  LostAnswerError,
  type PortalClient,
  type Success,
  UnexpectedAnswerError,
} from '#server/testing/load/portal-client.ts'
import { limit } from '#server/testing/slowness.ts'

/** What the portal has told a client that it has done. */
export type Promised = { readonly customerNumber: string } & (
  | { readonly kind: 'usage'; readonly id: string }
  | { readonly kind: 'order'; readonly activationId: string; readonly price: string }
  /** Charge of an ended session, hours of a returned checkout; absent while it runs. */
  | { readonly kind: 'session'; readonly id: string; readonly charge?: string }
  | { readonly kind: 'checkout'; readonly id: string; readonly hours?: number }
  | { readonly kind: 'plan'; readonly id: string; readonly hostId: string; readonly seats: number }
)

/** Everything that clients were told, in the order of their answers, and when. */
export class Journal {
  readonly promised: Promised[] = []
  /** When the acknowledged calls were sent for the last time, and when they were answered, in milliseconds. */
  readonly answers: { readonly sentAt: number; readonly at: number }[] = []
  /** Answers that never came, and answers that asked to try again. */
  lost = 0
  refused = 0
  /** Kinds of writes that were still not acknowledged when their client gave up: they may be done or not. */
  readonly unknown: { readonly customerNumber: string; readonly kind: Promised['kind'] }[] = []

  add(promised: Promised): void {
    this.promised.push(promised)
  }

  /** Milliseconds from an instant to the answer of the first call that was sent after it. */
  firstAfter(instant: number): number {
    const first = this.answers.find(({ sentAt }) => sentAt >= instant)
    return first === undefined ? Number.POSITIVE_INFINITY : first.at - instant
  }

  /** The longest time without any acknowledged write, in milliseconds. */
  longestPause(): number {
    return Math.max(0, ...this.answers.slice(1).map(({ at }, index) => at - (this.answers[index]?.at ?? at)))
  }
}

export type Writer = {
  readonly account: LoadAccount
  readonly person: number
  readonly browser: PortalClient
  readonly service: PortalClient
}

/** Milliseconds for which a client retries one write. */
const TIMEOUT = limit(120_000)
const BETWEEN_TRIES = 100
const TRY_AGAIN = [500, 502, 503, 504, 429]

/**
 * Writes one thing after the other until the signal. Every call has an Idempotency-Key, and is retried with the same key until
 * it is answered.
 */
export async function writeUntil(signal: AbortSignal, journal: Journal, writer: Writer): Promise<void> {
  const random = seededRandom(`writer ${writer.account.customerNumber} ${writer.person}`)
  const turns = random.shuffled([writeUsage, writeOrder, writeSession, writeCheckout, writePlan])
  for (let turn = 0; !signal.aborted; turn++) await turns[turn % turns.length]?.(journal, writer, random, turn)
}

async function writeUsage(journal: Journal, { account, service, person }: Writer, random: Random, turn: number) {
  const transactions = [0, 1, 2].map((at) => usageOf(account, `j${person}-${turn}-${at}`, random, 3_600_000))
  const { customerNumber } = account
  const answer = await persist(journal, { customerNumber, kind: 'usage' }, service, sendUsage, {
    body: { transactions },
  })
  // Each line is booked or refused by itself, for example if it ends in the future of the portal's clock.
  for (const { id, status } of (answer?.data ?? []) as { id: string; status: string }[])
    if (status === 'SUCCESS') journal.add({ customerNumber, kind: 'usage', id })
}

async function writeOrder(journal: Journal, { account, browser }: Writer, random: Random) {
  const { customerNumber } = account
  const body = orderOf(account, dayIn('UTC', new Date()), random.integer(1, 3))
  const answer = await persist(journal, { customerNumber, kind: 'order' }, browser, orderEntitlements, { body })
  for (const line of (answer?.data ?? []) as { ActivationId: string; ansysprice: string }[])
    journal.add({ customerNumber, kind: 'order', activationId: line.ActivationId, price: line.ansysprice })
}

async function writeSession(journal: Journal, { account, service, person }: Writer, random: Random) {
  const { customerNumber } = account
  const about = { customerNumber, kind: 'session' } as const
  const body = sessionOf(account, person, random.pick(ELASTIC_PRODUCTS).name)
  const started = await persist(journal, about, service, startSession, { body })
  if (!started) return
  const { sessionId: id } = started.data as { sessionId: string }
  journal.add({ ...about, id })
  const ended = await persist(journal, about, service, endSession, { params: { sessionId: id } })
  if (ended) journal.add({ ...about, id, charge: (ended.data as { charge: string }).charge })
}

async function writeCheckout(journal: Journal, { account, service, person }: Writer) {
  const about = { customerNumber: account.customerNumber, kind: 'checkout' } as const
  const started = await persist(journal, about, service, startWebCheckout, { body: checkoutOf(account, person) })
  if (!started) return
  const { checkoutId: id } = started.data as { checkoutId: string }
  journal.add({ ...about, id })
  const ended = await persist(journal, about, service, checkInWebLicense, { params: { checkoutId: id } })
  if (ended) journal.add({ ...about, id, hours: (ended.data as { hours: number }).hours })
}

/** One seat more than the last plan: a plan that changes nothing would have no step for it. The license server is busy until the plan is done. */
async function writePlan(journal: Journal, { account, browser, person }: Writer) {
  const { customerNumber } = account
  const hostId = seatsOf(account, person).server.serverId
  const before = journal.promised.findLast((one) => one.kind === 'plan' && one.hostId === hostId) as
    | { seats: number }
    | undefined
  const seats = 1 + (before?.seats ?? 0)
  const body = { ...savedSeats(account, person, seats), email: true }
  const answer = await persist(journal, { customerNumber, kind: 'plan' }, browser, saveActivations, { body })
  if (!answer) return
  const { id } = answer.data as { id: string }
  journal.add({ customerNumber, kind: 'plan', id, hostId, seats })
}

/** The answer of a write that succeeded; undefined if the client gave up, or if the portal refused because the license server is busy. */
async function persist(
  journal: Journal,
  about: Journal['unknown'][number],
  client: PortalClient,
  operation: Operation,
  request: { body?: unknown; params?: Record<string, string> },
): Promise<Success | undefined> {
  const idempotencyKey = randomUUID()
  const deadline = Date.now() + TIMEOUT
  while (Date.now() < deadline) {
    const sentAt = Date.now()
    try {
      const answer = await client.ask(operation, { ...request, idempotencyKey })
      journal.answers.push({ sentAt, at: Date.now() })
      return answer
    } catch (error) {
      if (error instanceof LostAnswerError) journal.lost++
      else if (error instanceof UnexpectedAnswerError && TRY_AGAIN.includes(error.status)) journal.refused++
      else if (error instanceof UnexpectedAnswerError && error.code === 'HOST_BUSY') return undefined
      else throw error
      await sleep(BETWEEN_TRIES)
    }
  }
  journal.unknown.push(about)
  return undefined
}
