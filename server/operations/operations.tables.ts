import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type OperationsRows = {
  idempotent_answer: {
    email: string
    key: string
    operation: string
    body_hash: Buffer
    answer: Json<unknown> | null
    created_at: Date
  }
}

export const operationsTables: Tables<OperationsRows> = {
  owns: ['idempotent_answer'],
}
