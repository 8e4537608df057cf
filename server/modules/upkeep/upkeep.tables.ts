import type { ColumnType, Generated } from 'kysely'
import type { SlowStatement } from '#server/db/statement-times.ts'
import type { Tables } from '#server/db/tables.ts'

export type UpkeepRows = {
  portal_process: {
    id: string
    machine: string
    pid: number
    version: string
    state: 'ready' | 'draining'
    started_at: Date
    seen_at: Generated<Date>
    slow_statements: ColumnType<readonly SlowStatement[], string | undefined, string>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends UpkeepRows {}
}

export const upkeepTables: Tables<UpkeepRows> = { owns: ['portal_process'] }
