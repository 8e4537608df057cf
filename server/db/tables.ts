/** The tables that the SQL of a folder may name; `Rows` are its own. */
export type Tables<Rows> = {
  /** Written by this folder only. */
  readonly owns: readonly (keyof Rows)[]
  /** Tables of others that one statement has to read together with its own, each with the reason. */
  readonly reads?: Readonly<Record<string, string>>
}
