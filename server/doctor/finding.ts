import type { Transaction } from 'kysely'
import type { Finding } from '#domain/upkeep/finding.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string, advice: string): Finding => ({ level: 'warning', text, advice })
export const failed = (text: string, advice: string): Finding => ({ level: 'failed', text, advice })

export type Patient = {
  readonly tx: Transaction<DB>
  readonly config: Config
  readonly secrets: InstallationSecrets
  /** The time by the clock of this machine. */
  readonly now: Date
  /** Check everything, even if it takes long. */
  readonly isFull: boolean
}
export type Check = { readonly name: string; run(patient: Patient): Promise<Finding> }

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
/** Names the first few of many. */
export const some = (names: readonly string[]) =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '')
