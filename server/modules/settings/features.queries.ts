import { type Kysely, sql, type Transaction } from 'kysely'
import type { Feature } from '#contract/settings/features.ts'
import type { DB } from '#server/db/schema.ts'

/** With `chosenBy` null everyone has the defaults, as in production. */
export async function listFeatures(db: Kysely<DB> | Transaction<DB>, chosenBy: string | null): Promise<Feature[]> {
  const { rows } = await sql<Feature>`
    select f.name, f.description, coalesce(p.is_enabled, f.is_default) as enabled, f.is_default as "isDefault",
           array(select c.other from feature_conflict c where c.name = f.name
                 union select c.name from feature_conflict c where c.other = f.name order by 1) as conflicts
      from feature f left join person_feature p on p.name = f.name and p.email = ${chosenBy}
     order by f.position, f.name`.execute(db)
  return rows
}

export async function chooseFeatures(tx: Transaction<DB>, email: string, choices: Map<string, boolean>): Promise<void> {
  await tx
    .insertInto('person_feature')
    .values([...choices].map(([name, is_enabled]) => ({ email, name, is_enabled })))
    .onConflict((conflict) =>
      conflict.columns(['email', 'name']).doUpdateSet((eb) => ({ is_enabled: eb.ref('excluded.is_enabled') })),
    )
    .execute()
}
