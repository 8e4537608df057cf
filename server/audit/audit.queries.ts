import { CompiledQuery, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely'
import type { OperationName } from '#contract/operations.ts'
import { CopyRows } from '#server/db/copy-rows.ts'
import type { DB } from '#server/db/schema.ts'

/** What is audited: every operation under its own name, sign-in and sign-out, and the operator's commands. */
export type AuditAction =
  | OperationName
  | 'sign-in'
  | 'sign-out'
  | 'claim-roles'
  | `staff.${'grant' | 'revoke'}`
  | `service-key.${'create' | 'revoke'}`
  | `license-key.${'create' | 'rotate'}`
  | 'usage.rebuild'
  | 'usage.archive'
  | 'usage.detach'
  | 'usage.restore'
  | 'backup'
  | 'restore'
  | 'drill'
  | 'database.shard'
  | `installation-key.${'wrap' | 'rotate' | 'unwrap'}`
  | `records.${'import' | 'export'}`

/** What the log stores about an act, in addition to person, time and address. */
export type AuditEntry = {
  action: AuditAction
  customerNumber?: string | undefined
  target?: string
  before?: unknown
  after?: unknown
}
export type AuditContext = {
  at: Date
  /** The email of a person, otherwise a name that cannot be an email. */
  email: string
  /** How the caller authenticated: with a session, a service key, a token or on the command line; null if unknown. */
  principal: 'session' | 'service key' | 'operator' | 'token' | null
  address: string
  requestId: string
}

export async function writeAudit(
  db: Kysely<DB> | Transaction<DB>,
  context: AuditContext,
  entry: AuditEntry,
  outcome: Outcome = { outcome: 'done' },
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values(rowOf(context, entry, outcome))
    .execute()
}

const COLUMNS = [
  'at',
  'email',
  'address',
  'request_id',
  'principal',
  'action',
  'customer_number',
  'target',
  'before',
  'after',
  'outcome',
] as const

/** Writes many entries of one caller at once. */
export async function writeAudits(
  tx: Transaction<DB>,
  context: AuditContext,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => rowOf(context, entry, { outcome: 'done' }))
  const copied = new CopyRows(rows.map((row) => COLUMNS.map((column) => row[column] as string | Date | null)))
  await tx.executeQuery(CompiledQuery.raw(`copy audit_log (${COLUMNS.join(', ')}) from stdin`, [copied]))
}

export async function writeRefusals(
  db: Kysely<DB>,
  context: AuditContext,
  refusals: readonly (AuditEntry & { reason: string })[],
): Promise<void> {
  const rows = refusals.map((entry) => rowOf(context, entry, { outcome: 'refused', reason: entry.reason }))
  await db.insertInto('audit_log').values(rows).execute()
}

/** Entries of one action on one object of an account, the newest first. */
export function listActsOn(
  db: Kysely<DB>,
  { customerNumber, target, action }: { customerNumber: string; target: string; action: string },
  limit: number,
): Promise<Pick<Selectable<DB['audit_log']>, 'at' | 'email' | 'after'>[]> {
  return db
    .selectFrom('audit_log')
    .select(['at', 'email', 'after'])
    .where('customer_number', '=', customerNumber)
    .where('target', '=', target)
    .where('action', '=', action)
    .where('outcome', '=', 'done')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

type Outcome = { outcome: 'done' } | { outcome: 'refused'; reason: string }

function rowOf(context: AuditContext, entry: AuditEntry, outcome: Outcome): Insertable<DB['audit_log']> {
  return {
    at: context.at,
    email: context.email,
    address: context.address,
    request_id: context.requestId,
    principal: context.principal,
    action: entry.action,
    customer_number: entry.customerNumber ?? '',
    target: entry.target ?? null,
    before: entry.before === undefined ? null : JSON.stringify(entry.before),
    after: entry.after === undefined ? null : JSON.stringify(entry.after),
    outcome: outcome.outcome,
    reason: outcome.outcome === 'refused' ? outcome.reason : null,
  }
}
