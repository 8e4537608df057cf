import type { setFeatures as operation } from '#contract/settings/features.ts'
import { conflictsAmong, SELECTION_CONFLICT } from '#domain/settings/feature-selection.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { chooseFeatures, listFeatures } from '#server/modules/settings/features.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

export async function setFeatures(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, services } = call
  if (services.config.environment === 'prod')
    await call.refuse(new HttpError(403, 'Feature flags cannot be changed in production'))
  const before = await listFeatures(db, actor.email)
  const selected = new Set(body.features)
  const unknown = body.features.find((name) => !before.some((feature) => feature.name === name))
  if (unknown !== undefined) throw new HttpError(400, `Unknown feature '${unknown}'`)
  if (conflictsAmong(before, selected).length) throw new BusinessRefusal('FEATURE_CONFLICT', SELECTION_CONFLICT)
  const choices = new Map(before.map((feature) => [feature.name, selected.has(feature.name)]))
  if (choices.size) await chooseFeatures(db, actor.email, choices)
  const enabled = before.filter((feature) => feature.enabled).map((feature) => feature.name)
  await call.audit({ before: enabled, after: [...selected] })
  return { data: await listFeatures(db, actor.email) }
}
