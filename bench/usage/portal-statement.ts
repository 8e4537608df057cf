import { Kysely, PostgresDialect } from 'kysely'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import type { PAGE } from '#bench/usage/page-request.ts'
import { fetchPage } from '#server/lists/list-page.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'

/** The very statement that the list engine sends for a page, with its values. */
export async function portalStatement({ pool }: OpenedDatabase, page: typeof PAGE) {
  const sent: { text: string; values: unknown[] }[] = []
  const watched = new Kysely<never>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push({ text: query.sql, values: [...query.parameters] }),
  })
  await fetchPage(watched, usageSource, { customerNumber: page.customerNumber, serverId: null }, page)
  const [statement] = sent
  if (!statement) throw new Error('the engine has sent no statement')
  return statement
}
