import { type Kysely, sql, type Transaction } from 'kysely'
import { type Limit, userKey } from '#domain/elastic/limits/limit.ts'
import type { ProductRule } from '#domain/elastic/limits/product-rules.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { isOpenToContacts } from '#server/modules/accounts/accounts.public.ts'
import { forgetTold } from '#server/modules/elastic/limits/limits-told.queries.ts'
import { limitJson, summedSubject } from '#server/modules/elastic/limits/start-limits.queries.ts'
import { type Edited, findRevision } from '#server/operations/revisions.queries.ts'

export type StoredLimit = Limit & { readonly id: string }

export type AccountLimits = {
  readonly limits: StoredLimit[]
  readonly productRules: (Omit<ProductRule, 'products'> & { readonly products: string[] })[]
  readonly revision: number
}

export const editedLimits = (customerNumber: string): Edited => ({ customerNumber, subject: 'limits' })

export async function loadLimits(db: Kysely<DB>, customerNumber: string): Promise<AccountLimits> {
  const revision = await findRevision(db, editedLimits(customerNumber))
  const limits = await listLimits(db, customerNumber)
  const rules = await db
    .selectFrom('elastic_product_rule')
    .select(['user_name', 'kind', 'products'])
    .where('customer_number', '=', customerNumber)
    .orderBy(sql`user_key = ''`)
    .orderBy('user_key')
    .execute()
  const productRules = rules.map(({ user_name, kind, products }) => ({ user: user_name || null, kind, products }))
  return { limits, productRules, revision }
}

/** In the order of subjects, names before everybody else. */
export async function listLimits(db: Kysely<DB>, customerNumber: string): Promise<StoredLimit[]> {
  const { rows } = await sql<{ limit: StoredLimit }>`
    select json_build_object(${limitJson}) as limit from elastic_limit l
     where l.customer_number = ${customerNumber}
     order by array_position(array['account', 'user', 'project', 'product', 'user+project', 'user+product', 'project+product',
                                   'department', 'cost-center'],
                             l.subject), l.user_key, l.project, l.product, l.period, l.from_day nulls first, l.limit_id`.execute(
    db,
  )
  return rows.map(({ limit }) => limit)
}

/** Replaces the limits of an account. Take the lock on them first. */
export async function saveLimits(
  tx: Transaction<DB>,
  customerNumber: string,
  { before, after }: { readonly before: readonly StoredLimit[]; readonly after: readonly StoredLimit[] },
): Promise<void> {
  const kept = new Map(before.map((limit) => [limit.id, JSON.stringify(limit)]))
  const changed = after.filter((limit) => kept.get(limit.id) !== JSON.stringify(limit))
  const ids = new Set(after.map(({ id }) => id))
  const removed = before.map(({ id }) => id).filter((id) => !ids.has(id))
  if (removed.length > 0)
    await tx
      .deleteFrom('elastic_limit')
      .where('customer_number', '=', customerNumber)
      .where('limit_id', 'in', removed)
      .execute()
  for (const limit of changed) {
    const row = toRow(limit)
    await tx
      .insertInto('elastic_limit')
      .values({ customer_number: customerNumber, limit_id: limit.id, ...row })
      .onConflict((conflict) => conflict.columns(['customer_number', 'limit_id']).doUpdateSet(row))
      .execute()
  }
  await followLimits(tx, customerNumber, [...removed, ...changed.map(({ id }) => id)])
}

const toRow = ({ subject, user, project, product, period, currency, warnAt, refuseAt, from, to }: Limit) => ({
  subject,
  user_name: user,
  project,
  product,
  period,
  currency,
  warn_at: warnAt,
  refuse_at: refuseAt,
  from_day: from,
  to_day: to,
})

/** What follows from the limits of an account: which use is summed, whether starts wait for each other, and what is told anew. */
export async function followLimits(
  tx: Transaction<DB>,
  customerNumber: string,
  changedIds: readonly string[],
): Promise<void> {
  await forgetTold(tx, customerNumber, changedIds)
  await sql`
    delete from usage_limited u
     where u.customer_number = ${customerNumber}
       and not exists (select 1 from elastic_limit l where l.customer_number = ${customerNumber} and ${summedSubject} = u.subject)`.execute(
    tx,
  )
  // The first limit of a kind sums all that the account has used.
  await allowLongWork(tx)
  await sql`
    insert into usage_limited (customer_number, subject)
    select distinct l.customer_number, ${summedSubject} from elastic_limit l where l.customer_number = ${customerNumber}
    on conflict do nothing`.execute(tx)
  const limited = await tx
    .selectFrom('usage_limited')
    .select('subject')
    .where('customer_number', '=', customerNumber)
    .limit(1)
    .executeTakeFirst()
  if (limited)
    await sql`insert into limited_account (customer_number) values (${customerNumber}) on conflict do nothing`.execute(
      tx,
    )
  else await tx.deleteFrom('limited_account').where('customer_number', '=', customerNumber).execute()
}

export async function saveProductRules(
  tx: Transaction<DB>,
  customerNumber: string,
  rules: readonly ProductRule[],
): Promise<void> {
  await tx.deleteFrom('elastic_product_rule').where('customer_number', '=', customerNumber).execute()
  if (rules.length === 0) return
  const rows = rules.map(({ user, kind, products }) => ({
    customer_number: customerNumber,
    user_key: userKey(user ?? ''),
    user_name: user ?? '',
    kind,
    products: [...products],
  }))
  await tx.insertInto('elastic_product_rule').values(rows).execute()
}

export async function listLimitedAccounts(db: Kysely<DB>): Promise<string[]> {
  const rows = await db.selectFrom('limited_account').select('customer_number').orderBy('customer_number').execute()
  return rows.map(({ customer_number }) => customer_number)
}

/** Undefined while contacts may not see the account: then they are told nothing about it. */
export async function findOpenAccount(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<{ name: string; timeZone: string } | undefined> {
  const { rows } = await sql<{ name: string; timeZone: string }>`
    select a.name, a.time_zone as "timeZone" from account a
     where a.customer_number = ${customerNumber} and ${isOpenToContacts}`.execute(db)
  return rows[0]
}
