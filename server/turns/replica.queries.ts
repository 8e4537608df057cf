import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** A position in the write-ahead log. */
export type Position = bigint

export type ReplicaState = {
  /** Null on a server that is not a replica, or not any more. */
  readonly replayed: Position | null
  /** Identifies a primary and its replicas. */
  readonly system: string
}

/** Everything that has been committed is before this position, and replicas get at least this far. */
export async function findWritten(db: Kysely<DB>): Promise<{ written: Position; system: string }> {
  const { rows } = await sql<{ written: string; system: string }>`
    select pg_current_wal_flush_lsn()::text as written, system_identifier::text as system from pg_control_system()`.execute(
    db,
  )
  const [row] = rows
  return { written: parsePosition(row?.written) ?? 0n, system: row?.system ?? '' }
}

export async function findReplayed(db: Kysely<DB>): Promise<ReplicaState> {
  const { rows } = await sql<{ replayed: string | null; system: string }>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as replayed, system_identifier::text as system
      from pg_control_system()`.execute(db)
  const [row] = rows
  return { replayed: parsePosition(row?.replayed ?? undefined) ?? null, system: row?.system ?? '' }
}

/** Reads a position as PostgreSQL writes it, such as `16/B374D848`. */
export function parsePosition(text: string | undefined): Position | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text ?? '') ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function formatPosition(position: Position): string {
  const hex = (part: bigint) => part.toString(16).toUpperCase()
  return `${hex(position >> 32n)}/${hex(position & 0xffff_ffffn)}`
}
