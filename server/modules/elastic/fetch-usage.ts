import type { countUsage, distinctUsage, fetchUsage } from '#contract/elastic/fetch-usage.ts'
import { fetchCount } from '#server/lists/list-count.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { fetchPageJson } from '#server/lists/list-page.ts'
import { usageList } from '#server/modules/elastic/usage.list.ts'
import { usageScope, wideUsageScope } from '#server/modules/elastic/usage-scope.ts'
import { type Call, ReadyJson, type Result } from '#server/plugins/route.ts'

/** The busiest call of the portal: the database writes the JSON, and it goes out untouched. */
export async function usagePage({
  body,
  db,
  services,
  standing,
  timeZone,
}: Call<typeof fetchUsage>): Promise<ReadyJson> {
  const reading = { timeZone, tokens: services.tokens, prepared: services.pages }
  const { json, token } = await fetchPageJson(db, usageList, usageScope(standing, body), body, reading)
  return new ReadyJson(`{"status":"SUCCESS","data":${json},"token":${JSON.stringify(token)}}`)
}

export async function usageCount({
  body,
  db,
  standing,
  timeZone,
}: Call<typeof countUsage>): Promise<Result<typeof countUsage>> {
  const scope = await wideUsageScope(db, standing, body)
  return { data: await fetchCount(db, usageList, scope, body, { timeZone }) }
}

export async function usageValues({
  body,
  db,
  services,
  standing,
  timeZone,
}: Call<typeof distinctUsage>): Promise<Result<typeof distinctUsage>> {
  const scope = await wideUsageScope(db, standing, body)
  const values = await fetchDistinct(db, usageList, scope, body, { timeZone, prepared: services.pages })
  return { data: values as (string | number | boolean | null)[] }
}
