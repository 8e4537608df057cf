import type { savePreferences as operation, TablePreference } from '#contract/settings/preferences.ts'
import { readTableName } from '#contract/settings/table-names.ts'
import { HttpError } from '#server/http/http-error.ts'
import {
  deleteEmptyPreferences,
  loadPreferencesSize,
  lockPreferences,
  upsertPreferences,
} from '#server/modules/settings/preferences.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const MAX_VIEW = 64 * 1024
const MAX_VIEWS = 200
const MAX_BYTES = 1024 * 1024

/** The guard decides on every account and audits refusals. The audit log has which tables were saved, not their views. */
export async function savePreferences(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now } = call
  const views = viewsIn(body.tables)
  await lockPreferences(db, actor.email)
  await upsertPreferences(db, actor.email, views, now)
  let { count, bytes } = await loadPreferencesSize(db, actor.email)
  // A view that was reset is empty and makes room for another one.
  if (count > MAX_VIEWS && views.some(holdsSomething)) {
    await deleteEmptyPreferences(db, actor.email)
    ;({ count, bytes } = await loadPreferencesSize(db, actor.email))
  }
  if (count > MAX_VIEWS) throw tooMuch(`You can keep at most ${MAX_VIEWS} saved views.`)
  if (bytes > MAX_BYTES) throw tooMuch('Your saved views would take more than 1 MB.')
  for (const [customerNumber, tables] of Map.groupBy(views, (view) => view.customerNumber))
    await call.audit({ customerNumber, target: tables.map(({ tableName }) => tableName).join(', ') })
  return { data: null }
}

function tooMuch(limit: string): HttpError {
  return new HttpError(413, `${limit} Nothing was saved. Reset the view of a table that you no longer need.`)
}

/** Each table once, under its stored name; the later of two views of one table counts. */
function viewsIn(tables: readonly TablePreference[]): TablePreference[] {
  const views = new Map<string, TablePreference>()
  for (const table of tables) {
    const tableName = readTableName(table.tableName)
    if (!tableName) throw new HttpError(400, `Unknown table '${table.tableName}'`)
    const view = { ...table, tableName }
    if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW)
      throw new HttpError(413, `The view of ${tableName} is larger than 64 kB. Nothing was saved.`)
    views.set(`${view.customerNumber} ${tableName}`, view)
  }
  return [...views.values()]
}

function holdsSomething({ customerNumber: _, tableName: __, ...view }: TablePreference): boolean {
  return Object.keys(view).length > 0
}
