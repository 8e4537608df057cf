import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** What the sender of a job needs to know: its queue and the type of its data. */
export type JobAddress<Data extends object> = {
  readonly queue: string
  run(data: Data, ...given: never[]): Promise<void>
}

export type JobSender = {
  /** With a transaction, the job exists if and only if the transaction commits. */
  send<Data extends object>(db: Kysely<DB>, job: JobAddress<Data>, data: Data): Promise<void>
}
