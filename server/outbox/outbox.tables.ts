import type { Generated } from 'kysely'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type OutboxRows = {
  outbox_message: {
    id: string
    lane: string
    payload: Json<object>
    state: Generated<'queued' | 'failed'>
    attempts: Generated<number>
    next_attempt_at: Date | null
    queued_at: Date
    resent_at: Date | null
    trouble: Generated<string>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends OutboxRows {}
}

export const outboxTables: Tables<OutboxRows> = {
  owns: ['outbox_message'],
}
