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
  saved_revision: { customer_number: string; subject: string; revision: number }
}

declare module '#server/db/schema.ts' {
  interface DB extends OperationsRows {}
}

export const operationsTables: Tables<OperationsRows> = {
  owns: ['idempotent_answer', 'saved_revision'],
}
