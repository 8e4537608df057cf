import type { DB } from '#server/db/schema.ts'

/** The tables that the SQL of a folder may name. */
export type Tables = {
  /** Written by this folder only. */
  readonly owns: readonly (keyof DB)[]
  /** Tables of others that one statement has to read together with its own, each with the reason. */
  readonly reads?: Readonly<Partial<Record<keyof DB, string>>>
}
