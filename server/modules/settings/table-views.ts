import { randomUUID } from 'node:crypto'
import { readTableName } from '#contract/settings/table-names.ts'
import type {
  addView as add,
  changeView as change,
  listViews as list,
  removeView as remove,
} from '#contract/settings/table-views.ts'
import { can, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { MAX_VIEWS, NOT_SHARED, nameTaken, TOO_MANY_VIEWS, viewNameKey } from '#domain/settings/table-views.ts'
import { HttpError } from '#server/http/http-error.ts'
import { personViews } from '#server/modules/settings/person-views.queries.ts'
import { lockPreferences } from '#server/modules/settings/preferences.queries.ts'
import {
  accountViews,
  toNamedView,
  type ViewRow,
  type ViewStore,
  type ViewsOf,
} from '#server/modules/settings/table-views.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const MAX_VIEW = 16 * 1024
const NO_SUCH_VIEW = 'There is no such view. It may have been deleted or is no longer shared.'

type AnyCall = Call<typeof list> | Call<typeof add> | Call<typeof change> | Call<typeof remove>

const viewsOf = ({ actor, standing }: Pick<AnyCall, 'actor' | 'standing'>): ViewsOf => ({
  customer_number: standing?.customerNumber ?? '',
  email: actor.email,
})

const storeOf = ({ standing }: Pick<AnyCall, 'standing'>): ViewStore => (standing ? accountViews : personViews)

export async function listViews(call: Call<typeof list>): Promise<Result<typeof list>> {
  const rows = await storeOf(call).list(call.db, viewsOf(call), tableNameIn(call.body.tableName))
  return { data: rows.map((row) => toNamedView(row, call.actor.email)) }
}

export async function addView(call: Call<typeof add>): Promise<Result<typeof add>> {
  const { body, now, actor } = call
  const { name, isShared = false, view } = body
  const fixed = { ...viewsOf(call), view_id: randomUUID(), table_name: tableNameIn(body.tableName) }
  const row: ViewRow = { ...fixed, name, is_shared: isShared, view, saved_at: now }
  const own = await lockOwnViews(call, row)
  if (own.length >= MAX_VIEWS) throw new HttpError(409, TOO_MANY_VIEWS)
  await saveChecked(call, row, own)
  await call.audit({ target: row.view_id, after: audited(row) })
  return { data: toNamedView(row, actor.email) }
}

export async function changeView(call: Call<typeof change>): Promise<Result<typeof change>> {
  const { body, now, actor } = call
  const { name, isShared, view } = body
  const before = await findView(call)
  if (before.email !== actor.email) throw new HttpError(403, NOT_ENOUGH_PERMISSIONS)
  const row: ViewRow = {
    ...before,
    name: name ?? before.name,
    is_shared: isShared ?? before.is_shared,
    view: view ?? before.view,
    saved_at: now,
  }
  await saveChecked(call, row, await lockOwnViews(call, row))
  await call.audit({ target: row.view_id, before: audited(before), after: audited(row) })
  return { data: toNamedView(row, actor.email) }
}

/** The owner removes a view, or whoever manages the contacts of the account if it is shared. */
export async function removeView(call: Call<typeof remove>): Promise<Result<typeof remove>> {
  const { db, actor, standing, audit } = call
  const view = await findView(call)
  if (view.email !== actor.email && !(standing && can(actor, 'contacts.write', standing).allowed))
    throw new HttpError(403, NOT_ENOUGH_PERMISSIONS)
  await audit({ target: view.view_id, before: audited(view) })
  await storeOf(call).delete(db, viewsOf(call), view.view_id)
  return { data: null }
}

/** The audit log has whose view it is, not what it shows. */
const audited = ({ email, table_name, name, is_shared }: ViewRow) => ({
  owner: email,
  tableName: table_name,
  name,
  isShared: is_shared,
})

async function findView(call: Call<typeof change> | Call<typeof remove>): Promise<ViewRow> {
  const found = await storeOf(call).find(call.db, viewsOf(call), call.body.id)
  if (!found) throw new HttpError(404, NO_SUCH_VIEW)
  return found
}

/** Two tabs of one person wait for each other, so that the limit and the names hold. */
async function lockOwnViews(call: Call<typeof add> | Call<typeof change>, { email, table_name }: ViewRow) {
  await lockPreferences(call.db, email)
  return (await storeOf(call).list(call.db, viewsOf(call), table_name)).filter((one) => one.email === email)
}

type SaveCall = Pick<Call<typeof add>, 'db' | 'standing'>

async function saveChecked(call: SaveCall, row: ViewRow, own: readonly ViewRow[]): Promise<void> {
  if (row.is_shared && !call.standing) throw new HttpError(400, NOT_SHARED)
  if (Buffer.byteLength(JSON.stringify(row.view)) > MAX_VIEW)
    throw new HttpError(413, 'The view is larger than 16 kB. Nothing was saved.')
  if (own.some((one) => one.view_id !== row.view_id && viewNameKey(one.name) === viewNameKey(row.name)))
    throw new HttpError(409, nameTaken(row.name))
  await storeOf(call).save(call.db, row)
}

function tableNameIn(text: string): string {
  const name = readTableName(text)
  if (!name) throw new HttpError(400, `Unknown table '${text}'`)
  return name
}
