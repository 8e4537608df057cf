import type { Transaction } from 'kysely'
import type { AuditEntry } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'

/** The author and transaction of a change: a call of the API, or a plan that was accepted earlier. */
export type StepAuthor = {
  readonly db: Transaction<DB>
  readonly now: Date
  readonly email: string
  readonly services: Pick<Services, 'secrets'>
  audit(entry: StepAudit): Promise<void>
}

type StepAudit = Omit<AuditEntry, 'action' | 'customerNumber'> & { readonly customerNumber: string }

type WritingCall = Pick<StepAuthor, 'db' | 'now' | 'services' | 'audit'> & {
  readonly actor: { readonly email: string }
}

export const authorOf = ({ db, now, services, actor, audit }: WritingCall): StepAuthor => ({
  db,
  now,
  email: actor.email,
  services,
  audit,
})
