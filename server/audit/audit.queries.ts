import { CompiledQuery, type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import { type AuditAction, wordsOf } from '#contract/audit-words.ts'
import { toPlainText } from '#domain/plain-text.ts'
import type { AuditPrincipal } from '#server/audit/audit.tables.ts'
import { CopyRows } from '#server/db/copy-rows.ts'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'

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
  /** How the caller authenticated: with a session, a key, a token or on the command line; null if unknown. */
  principal: AuditPrincipal | null
  /** The name and id of the token or service key. */
  credential?: string | undefined
  address: string
  requestId: string
  /** What the caller says that it is (User-Agent), as it was sent. */
  program?: string | undefined
}

export async function writeAudit(
  db: Kysely<DB> | Transaction<DB>,
  context: AuditContext,
  entry: AuditEntry,
  outcome: Outcome = { outcome: 'done' },
): Promise<void> {
  await saveRows(db, [rowOf(context, entry, outcome)])
}

/** Writes many entries of one caller. */
export async function writeAudits(
  tx: Transaction<DB>,
  context: AuditContext,
  entries: readonly AuditEntry[],
): Promise<void> {
  await saveRows(
    tx,
    entries.map((entry) => rowOf(context, entry, { outcome: 'done' })),
  )
}

export async function writeRefusals(
  db: Kysely<DB>,
  context: AuditContext,
  refusals: readonly (AuditEntry & { reason: string })[],
): Promise<void> {
  const rows = refusals.map((entry) => rowOf(context, entry, { outcome: 'refused', reason: entry.reason }))
  await saveRows(db, rows)
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

/** What the writer says; the id is PostgreSQL's. */
type NewRow = { readonly [K in (typeof COLUMNS)[number]]: string | Date | null }
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
  'reason',
  'program',
  'credential',
  'text',
] as const

type Pending = { readonly customer_number: string; readonly id: string }

const insertOne = (row: { readonly [K in keyof NewRow]: RawBuilder<unknown> }) => sql<Pending>`
  insert into audit_log (${sql.raw(COLUMNS.join(', '))})
  values (${row.at}::timestamptz, ${row.email}, ${row.address}, ${row.request_id}, ${row.principal}, ${row.action},
          ${row.customer_number}, ${row.target}, ${row.before}::jsonb, ${row.after}::jsonb, ${row.outcome},
          ${row.reason}, ${row.program}, ${row.credential}, ${row.text})
  returning customer_number, id`

/** Without a transaction, as for every refused call: one round trip instead of four. */
const insertAlone = namedStatement<NewRow, unknown>(
  'audit',
  (row) => sql`
    with added as (${insertOne(row)})
    insert into audit_pending (customer_number, audit_id) select customer_number, id from added`,
)

/** Separate statements: in one, on several nodes, they would make the commit of the transaction two-phase. */
const insertRow = namedStatement<NewRow, Pending>('audit-row', insertOne)
const insertPending = namedStatement<Pending, unknown>(
  'audit-pending',
  (row) => sql`insert into audit_pending (customer_number, audit_id) values (${row.customer_number}, ${row.id})`,
)

/** Every row of the log gets its place in the queue of the sealer: there is never one without the other. */
async function saveRows(db: Kysely<DB>, rows: readonly NewRow[]): Promise<void> {
  const [first, ...others] = rows
  if (!first) return
  if (!db.isTransaction && others.length === 0) return void (await insertAlone.run(db, first))
  if (!db.isTransaction) return db.transaction().execute((tx) => saveRows(tx, rows))
  if (others.length > 0) return copyRows(db, rows)
  for (const added of await insertRow.run(db, first)) await insertPending.run(db, added)
}

async function copyRows(tx: Kysely<DB>, rows: readonly NewRow[]): Promise<void> {
  const { rows: ids } = await sql<{ id: string }>`
    select nextval('audit_log_id_seq') as id from generate_series(1, ${rows.length}::int)`.execute(tx)
  const idAt = (index: number) => ids[index]?.id
  const copied = new CopyRows(rows.map((row, index) => [idAt(index), ...COLUMNS.map((column) => row[column])]))
  await tx.executeQuery(CompiledQuery.raw(`copy audit_log (id, ${COLUMNS.join(', ')}) from stdin`, [copied]))
  const pending = new CopyRows(rows.map((row, index) => [row.customer_number, idAt(index)]))
  await tx.executeQuery(CompiledQuery.raw('copy audit_pending (customer_number, audit_id) from stdin', [pending]))
}

/** Longer names of programs say no more. */
const MAX_PROGRAM = 200

function rowOf(context: AuditContext, entry: AuditEntry, outcome: Outcome): NewRow {
  const program = toPlainText(context.program ?? '', 'line')
    .slice(0, MAX_PROGRAM)
    .toWellFormed()
  const act = {
    action: entry.action,
    target: entry.target ?? null,
    outcome: outcome.outcome,
    reason: outcome.outcome === 'refused' ? outcome.reason : null,
  }
  return {
    ...act,
    at: context.at,
    email: context.email,
    address: context.address,
    request_id: context.requestId,
    principal: context.principal,
    customer_number: entry.customerNumber ?? '',
    before: entry.before === undefined ? null : JSON.stringify(entry.before),
    after: entry.after === undefined ? null : JSON.stringify(entry.after),
    program: program === '' ? null : program,
    credential: context.credential ?? null,
    text: toPlainText(wordsOf({ ...act, before: entry.before, after: entry.after }), 'line'),
  }
}
