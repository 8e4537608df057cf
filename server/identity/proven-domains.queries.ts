import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'

export type ProvenDomain = Selectable<DB['proven_domain']>

export function findProvenDomain(db: Kysely<DB>, domain: string): Promise<ProvenDomain | undefined> {
  return db.selectFrom('proven_domain').selectAll().where('domain', '=', domain).executeTakeFirst()
}

/** Whether any account has switched on a provider of its own. */
export async function isAnyProviderOn(db: Kysely<DB>): Promise<boolean> {
  const row = await db
    .selectFrom('proven_domain')
    .select('domain')
    .where('is_on', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether somebody sees no account but one, and is no member of staff: then another way to sign in than that of the account
 * leads nowhere.
 */
export async function seesOnly(db: Kysely<DB>, email: string, customerNumber: string): Promise<boolean> {
  const { rows } = await sql<{ is_only: boolean }>`
    select not exists (select 1 from staff_role r where r.email = ${email})
       and not exists (select 1 from contact c where c.email = ${email} and c.customer_number <> ${customerNumber})
       and not exists (select 1 from account_grant g where g.email = ${email} and g.customer_number <> ${customerNumber})
       as is_only`.execute(db)
  return rows[0]?.is_only ?? false
}

/** Replaces the domains of an account. Another account that has one of them keeps it: the domains that were not free are returned. */
export async function saveProvenDomains(
  tx: Transaction<DB>,
  customerNumber: string,
  domains: readonly Insertable<DB['proven_domain']>[],
): Promise<string[]> {
  const names = domains.map(({ domain }) => domain)
  await tx
    .deleteFrom('proven_domain')
    .where('customer_number', '=', customerNumber)
    .$if(names.length > 0, (query) => query.where('domain', 'not in', names))
    .execute()
  await announceAccess(tx, [customerNumber], 'domain')
  const taken: string[] = []
  for (const row of domains) {
    const { is_on, is_enforced, break_glass } = row
    const saved = await tx
      .insertInto('proven_domain')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('domain')
          .doUpdateSet({ is_on, is_enforced, break_glass })
          .where('proven_domain.customer_number', '=', customerNumber),
      )
      .returning('domain')
      .executeTakeFirst()
    if (!saved) taken.push(row.domain)
  }
  return taken
}
