import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Pools } from '#server/db/database.ts'
import { isDatabaseUnavailable, isNodeLost, isStatementTimeout } from '#server/db/database-errors.ts'
import type { DB } from '#server/db/schema.ts'
import type { ListEngine } from '#server/lists/list-engine.ts'
import { readTimeout } from '#server/lists/list-limits.ts'
import type { CallInTurn, CallTurns, InTurn } from '#server/turns/call-turns.ts'
import { findWritten, type Position } from '#server/turns/replica.queries.ts'
import type { Replica } from '#server/turns/replica.ts'

/** What a read is answered from. */
export type ReadSource = { readonly db: Kysely<DB>; readonly lists: ListEngine; readonly later: InTurn }

export type ReadingCall = {
  /** Undefined for a call that takes no turns. */
  readonly turn: Omit<CallInTurn, 'replica'> | undefined
  /** Undefined for a call that only the primary answers; otherwise what the replica must have, if anything. */
  readonly replica: { readonly written: Position | undefined } | undefined
  readonly namesAccount: boolean
  isSent(): boolean
}

/** Decides from which database a read is answered, and on which connections. */
export type Reads = {
  /**
   * A call that takes turns waits for its turn, and may read from the replica. While a node of the database is lost, a call that
   * names no account is answered from the copy of accounts and contacts, if it needs nothing else.
   */
  answer<R>(call: ReadingCall, work: (source: ReadSource) => Promise<R>): Promise<R>
  /** Where a task reads: on the replica once it has everything that was written before the task began, or on the primary. */
  findForTask(): Promise<Omit<ReadSource, 'later'>>
  /** Absent without DATABASE_REPLICA_URL. */
  readonly replica: Replica | undefined
}

type Parts = {
  readonly db: Kysely<DB>
  readonly lists: ListEngine
  readonly pools: Pools
  readonly callTurns: CallTurns
  /** Its lists are those of the product, read there. */
  readonly replica: (Replica & { readonly lists: ListEngine }) | undefined
}

/** A replica that is this far behind, in milliseconds, is not worth a task's wait. */
const TASK_TIMEOUT = 1_000
const TASK_INTERVAL = 100

export function createReads({ db, lists, pools, callTurns, replica }: Parts): Reads {
  const atOnce: ReadSource = { db, lists, later: (piece) => piece() }

  async function answerInTurn<R>(
    turn: Omit<CallInTurn, 'replica'>,
    call: ReadingCall,
    work: (source: ReadSource) => Promise<R>,
  ): Promise<R> {
    const onPrimary = () => callTurns.run(turn, (db, later) => work({ db, lists, later }))
    const connections = call.replica && (await replica?.lend(call.replica.written))
    if (!connections || !replica) return onPrimary()
    return callTurns
      .run({ ...turn, replica: connections }, (db, later) => work({ db, lists: replica.lists, later }))
      .catch((error: Error) => {
        // A replica cancels statements that are in the way of what it replays, and it may go away at any time.
        if (call.isSent() || isStatementTimeout(error) || !isDatabaseUnavailable(error)) throw error
        replica.avoid(error)
        return onPrimary()
      })
  }

  const answerLive = <R>(call: ReadingCall, work: (source: ReadSource) => Promise<R>): Promise<R> =>
    call.turn
      ? answerInTurn(call.turn, call, work).catch((error: unknown) => {
          throw isStatementTimeout(error) ? readTimeout() : error
        })
      : work(atOnce)

  return {
    answer: (call, work) =>
      answerLive(call, work).catch((error: unknown) => {
        const { accountCopy } = pools
        if (!accountCopy || call.namesAccount || call.isSent() || !isNodeLost(error)) throw error
        return work({ ...atOnce, db: accountCopy.db }).catch(() => {
          throw error
        })
      }),

    async findForTask() {
      if (!replica) return { db, lists }
      const { written } = await findWritten(pools.access.db)
      for (let waited = 0; waited < TASK_TIMEOUT; waited += TASK_INTERVAL) {
        if (await replica.lend(written)) return replica
        await sleep(TASK_INTERVAL)
      }
      return { db, lists }
    },

    replica,
  }
}
