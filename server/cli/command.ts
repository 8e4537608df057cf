import type { Config } from '#server/config.ts'
import type { Installation } from '#server/installation.ts'

/** What went wrong is the operator's to mend: printed as one line, exit code 2. */
export class UsageError extends Error {}

export type Context = {
  readonly config: Config
  readonly installation: Installation
  readonly now: Date
  say(line: string): void
  progress(done: number, total: number, what: string): void
}

export type Command = {
  /** The words that call it, such as `users grant`. */
  readonly name: string
  readonly usage: string
  readonly summary: string
  run(args: readonly string[], context: Context): Promise<void>
}
