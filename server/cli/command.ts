import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { AuditContext } from '#server/audit/audit.queries.ts'
import type { Config } from '#server/config.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import type { Installation } from '#server/installation.ts'

/** The command was called wrongly: printed as one line with the usage, exit code 2. */
export class UsageError extends Error {}

export type Context = {
  readonly config: Config
  readonly installation: Installation
  readonly secrets: InstallationSecrets
  readonly now: Date
  /** The author of audit entries for an operator's acts. */
  readonly audit: AuditContext
  say(line: string): void
  progress(done: number, total: number, what: string): void
}

type Called = {
  /** The words that call it, such as `users grant`. */
  readonly name: string
  readonly usage: string
  readonly summary: string
}

export type Command = Called & {
  /** Uses the database as it is; every other command migrates it first. */
  readonly keepsVersion?: true
  /** The owner of the tables, for what the portal's role may not do. */
  readonly role?: 'owner' | 'owner if known'
  run(words: readonly string[], context: Context): Promise<void>
}

/** A command that works without an installation, or opens it in its own way. */
export type LoneCommand = Called & {
  runAlone(
    words: readonly string[],
    context: { env: NodeJS.ProcessEnv; now: Date; say(line: string): void; log(line: string): void },
  ): Promise<void>
}

type Options = NonNullable<ParseArgsConfig['options']>

/** What was typed after the command's name: its arguments by name, all of them required, and its options. */
export function readArguments<const A extends readonly string[], const O extends Options>(
  words: readonly string[],
  names: A,
  options: O,
) {
  const { values, positionals } = parsed(words, options)
  const missing = names[positionals.length]
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing`)
  const unexpected = positionals[names.length]
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument: ${unexpected}`)
  const named = Object.fromEntries(names.map((name, index) => [name, positionals[index]]))
  return { ...(named as { readonly [K in A[number]]: string }), options: values }
}

/** For a command with one argument that can be left out. */
export function readOptionalArgument<const O extends Options>(words: readonly string[], options: O) {
  const { values, positionals } = parsed(words, options)
  const [argument, unexpected] = positionals
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument: ${unexpected}`)
  return { argument, options: values }
}

function parsed<const O extends Options>(words: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
