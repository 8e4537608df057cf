import type { DB } from '#server/db/schema.ts'
import type { Tables } from '#server/db/tables.ts'

/** The tables of tokens belong to `server/identity`, which finds the caller of a token. */
export const tokensTables: Tables<DB> = {
  owns: [],
  reads: { api_token: 'The list of tokens.' },
}
