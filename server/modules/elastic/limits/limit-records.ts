import type { Transaction } from 'kysely'
import { limitRecords } from '#contract/data/limits.ts'
import type { Limit, LimitPeriod, LimitSubject } from '#domain/elastic/limits/limit.ts'
import { partsOf, SUBJECT_PARTS } from '#domain/elastic/limits/limit.ts'
import { limitErrors, MAX_LIMITS, TOO_MANY_LIMITS, toTyped } from '#domain/elastic/limits/limit-errors.ts'
import { fixDecimals } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import { byCustomer, type Row } from '#server/data/record-table.queries.ts'
import { revokeByDeleting } from '#server/data/revoke-records.ts'
import type { Change, RecordRules } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'
import { refuseUnknownAccounts } from '#server/modules/accounts/accounts.public.ts'
import { editedLimits, followLimits, listLimits } from '#server/modules/elastic/limits/limits.queries.ts'
import { lockLimits } from '#server/modules/elastic/limits/limits-lock.queries.ts'
import { countSave } from '#server/operations/revisions.queries.ts'

const rules: RecordRules = {
  kind: limitRecords,
  table: {
    table: 'elastic_limit',
    key: limitRecords.key,
    fields: {
      customerNumber: { column: 'customer_number', type: 'text' },
      limitId: { column: 'limit_id', type: 'text' },
      subject: { column: 'subject', type: 'text' },
      user: { column: 'user_name', type: 'text' },
      project: { column: 'project', type: 'text' },
      product: { column: 'product', type: 'text' },
      period: { column: 'period', type: 'text' },
      currency: { column: 'currency', type: 'text' },
      warnAt: { column: 'warn_at', type: 'numeric' },
      refuseAt: { column: 'refuse_at', type: 'numeric' },
      from: { column: 'from_day', type: 'date' },
      to: { column: 'to_day', type: 'date' },
    },
  },
  read: (row) => ({ row: fixDecimals(row, ['warnAt', 'refuseAt'], 2) }),
  lock: lockAll,
  async prepare(tx, rows) {
    await lockAll(tx, rows)
    const refusals = await refuseUnknownAccounts(tx, rows)
    for (const [customerNumber, own] of byCustomer(rows.filter((row) => !refusals.has(row))))
      for (const [row, refused] of await refuseWrong(tx, customerNumber, own)) refusals.set(row, refused)
    return { refusals }
  },
  after: follow,
}

async function lockAll(tx: Transaction<DB>, rows: readonly Row[]): Promise<void> {
  for (const [customerNumber] of byCustomer(rows)) await lockLimits(tx, customerNumber)
}

/** Each record is checked with what is stored and with the records before it. */
async function refuseWrong(
  tx: Transaction<DB>,
  customerNumber: string,
  rows: readonly Row[],
): Promise<Map<Row, Refusal>> {
  const limits = new Map<string, Limit>((await listLimits(tx, customerNumber)).map((limit) => [limit.id, limit]))
  const refusals = new Map<Row, Refusal>()
  for (const row of rows) {
    const id = String(row.limitId)
    const known = limits.get(id)
    const limit = toLimit(row, known)
    const foreign = SUBJECT_PARTS.find((part) => limit[part] !== null && !partsOf(limit.subject).includes(part))
    const others = [...limits].filter(([other]) => other !== id).map(([, other]) => other)
    const [error] = Object.values(limitErrors([...others, limit].map(toTyped)).at(-1) ?? {})
    if (foreign) refusals.set(row, refusal('INVALID_RECORD', `${foreign}: the subject ${limit.subject} has none.`))
    else if (error !== undefined) refusals.set(row, refusal('INVALID_RECORD', error))
    else if (!known && limits.size >= MAX_LIMITS) refusals.set(row, refusal('INVALID_RECORD', TOO_MANY_LIMITS))
    else limits.set(id, limit)
  }
  return refusals
}

/** Fields that are left out stay as they are; of a new limit they are empty. */
function toLimit(row: Row, known: Limit | undefined): Limit {
  const value = (field: 'user' | 'project' | 'product' | 'warnAt' | 'refuseAt' | 'from' | 'to'): string | null => {
    const sent = row[field]
    if (sent === undefined) return known?.[field] ?? null
    return sent === null ? null : String(sent)
  }
  return {
    subject: row.subject as LimitSubject,
    user: value('user'),
    project: value('project'),
    product: value('product'),
    period: row.period as LimitPeriod,
    currency: String(row.currency),
    warnAt: value('warnAt'),
    refuseAt: value('refuseAt'),
    from: value('from'),
    to: value('to'),
  }
}

/** A form that is open on the limits learns of the change when it is saved. */
async function follow(tx: Transaction<DB>, written: readonly Change[]): Promise<void> {
  const rows = written.map(({ before, after }): Row => ({ ...before, ...after }))
  for (const [customerNumber, own] of byCustomer(rows)) {
    await followLimits(
      tx,
      customerNumber,
      own.map(({ limitId }) => String(limitId)),
    )
    await countSave(tx, editedLimits(customerNumber), undefined)
  }
}

export const limitData = recordData(rules, revokeByDeleting)
