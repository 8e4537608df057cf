import type { savePreferences as operation, TablePreference } from '#contract/settings/preferences.ts'
import { savePreference } from '#server/modules/settings/preferences.queries.ts'
import { Problem } from '#server/plugins/problem.ts'
import type { Call, Result } from '#server/plugins/route.ts'

const MAX_VIEW = 64 * 1024

export async function savePreferences(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now } = call
  for (const table of body.tables.map(underItsName)) {
    if (JSON.stringify(table).length > MAX_VIEW) throw new Problem(413, `The view of ${table.tableName} is too large`)
    await savePreference(db, actor.email, table, now)
  }
  return { data: null }
}

/** The usage table has two names in older clients; it is kept under one. */
function underItsName(table: TablePreference): TablePreference {
  return table.tableName === 'UsageTransactions' ? { ...table, tableName: 'elasticTransaction' } : table
}
