import type { Transaction } from 'kysely'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { freezeEntitlement, type MailedRecord } from '#domain/elastic/statements/mailed-statement.ts'
import { NO_ENTITLEMENTS, type Statement, toStatement } from '#domain/elastic/statements/statement.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import {
  findMailedStatement,
  insertFrozenEntitlements,
  insertMailedStatement,
  listEntitlementsToMail,
  listFrozenRecords,
  lockMailedStatements,
  type MailedFile,
  type StatementKey,
} from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import { loadStatementNotes } from '#server/modules/elastic/statements/statement-notes.ts'
import { describeMailedStatement } from '#server/modules/elastic/statements/statement-pdf.ts'
import { MAX_STATED, statementFileName } from '#server/modules/elastic/statements/statements.ts'
import { makeDocument } from '#server/pdf/make-document.ts'
import type { Services } from '#server/services.ts'

export type FrozenStatement = { readonly statement: Statement<MailedRecord>; readonly file: MailedFile }

/**
 * The statement of a period as it is mailed. The first time it is computed and stored with its file; after that it
 * never changes. A record that another statement of the same period has frozen is reused.
 */
export async function freezeStatement(
  tx: Transaction<DB>,
  services: Pick<Services, 'makePdf' | 'loadLetterhead'>,
  key: StatementKey,
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<FrozenStatement> {
  const { customerNumber, kind, period, activationId } = key
  await lockMailedStatements(tx, customerNumber)
  const known = await findMailedStatement(tx, key)
  if (known) return { statement: toStatement(await loadRecords(tx, key)), file: known }

  const statement = toStatement(await freezeRecords(tx, key))
  const { name, time_zone } = await loadAccount(tx, customerNumber)
  const header = { reportDate: dayIn(time_zone, at), customerNumber, customerName: name, ...period }
  const notes = await loadStatementNotes(tx, { ...header, timeZone: time_zone, activationId })
  const pdf = await makeDocument(services, at, describeMailedStatement(kind, statement, header, notes))
  const file_name = statementFileName(customerNumber, period, activationId)
  const id = await insertMailedStatement(tx, {
    customer_number: customerNumber,
    kind,
    period_from: period.from,
    period_to: period.to,
    activation_id: activationId,
    mailed_at: at,
    mailed_by: by,
    file_name,
    pdf,
  })
  return { statement, file: { id, file_name, pdf } }
}

async function loadRecords(tx: Transaction<DB>, key: StatementKey): Promise<MailedRecord[]> {
  const frozen = [...(await listFrozenRecords(tx, key))]
  return frozen.flatMap(([id, record]) =>
    record && (key.activationId === '' || key.activationId === id) ? record : [],
  )
}

async function freezeRecords(tx: Transaction<DB>, key: StatementKey): Promise<MailedRecord[]> {
  const entitlements = await listEntitlementsToMail(tx, key, MAX_STATED + 1)
  if (entitlements.length > MAX_STATED) throw tooManyRows()
  if (key.activationId !== '' && entitlements.length === 0)
    throw new HttpError(404, 'This account has no such elastic entitlement.')
  const known = await listFrozenRecords(tx, key)
  const fresh = entitlements
    .filter(({ activationId }) => !known.has(activationId))
    .map((entitlement) => freezeEntitlement(key.period, entitlement))
  const byId = new Map([...known, ...fresh.map(({ activationId, record }) => [activationId, record] as const)])
  const records = entitlements.flatMap(({ activationId }) => byId.get(activationId) ?? [])
  if (records.length === 0) throw new BusinessRefusal('NO_ACTIVE_ENTITLEMENTS', NO_ENTITLEMENTS)
  await insertFrozenEntitlements(tx, key, fresh)
  return records
}
