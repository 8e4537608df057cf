import type { ColumnType, Generated } from 'kysely'
import type { Reported } from '#domain/upkeep/finding.ts'
import type { RunKind } from '#domain/upkeep/schedule.ts'
import type { Tables } from '#server/db/tables.ts'

export type RecoveryRows = {
  recovery_run: {
    id: Generated<string>
    kind: RunKind
    state: Generated<'running' | 'done' | 'failed'>
    begun_by: string
    machine: string
    begun_at: Date
    seen_at: Generated<Date>
    ended_at: Date | null
    file: string | null
    bytes: string | null
    row_count: string | null
    as_of: Date | null
    newest_entry_at: Date | null
    recovery_point: string | null
    recovery_time: string | null
    failure: string | null
    findings: ColumnType<readonly Reported[], string | undefined, string>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends RecoveryRows {}
}

export const recoveryTables: Tables<RecoveryRows> = {
  owns: ['recovery_run'],
  reads: { audit_log: 'The newest entry tells how far a restored database goes.' },
}
