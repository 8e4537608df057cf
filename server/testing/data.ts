import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import { recordOperations } from '#contract/data/record-operations.ts'
import { listRemoved } from '#contract/data/removed-records.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { type CallParts, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

export type DataLine = {
  readonly id: string
  readonly status: string
  readonly result?: string
  readonly code?: string
  readonly err?: string
}
export type DataPortal = Awaited<ReturnType<typeof startDataPortal>>
type Page = { readonly data: Record<string, unknown>[]; readonly next?: string; readonly until: string }

function kindOf(name: RecordKindName) {
  const kind = RECORD_KINDS.find((one) => one.name === name)
  if (!kind) throw new Error(`there are no ${name}`)
  return kind
}
const operationsOf = (name: RecordKindName) => recordOperations(kindOf(name))

/** A portal with a service key of all scopes for records. */
export async function startDataPortal() {
  const portal = await startPortal()
  const { headers } = await giveServiceKey(portal, 'Data')
  const nobody = await portal.as(null)
  const call = (operation: Operation, parts: CallParts) =>
    nobody(operation, { ...parts, headers: { ...parts.headers, ...headers } })
  const ask = async (operation: Operation, parts: CallParts) => {
    const { status, body } = await call(operation, parts)
    if (status !== 200) throw new Error(`${operation.name}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const page = async (name: RecordKindName, query: Record<string, string>) =>
    (await ask(operationsOf(name).list, { query })) as unknown as Page
  const removedPage = async (name: RecordKindName, query: Record<string, string>) =>
    (await ask(listRemoved(kindOf(name)), { query })) as unknown as Page
  return {
    ...portal,
    call,
    async save(name: RecordKindName, records: readonly object[]): Promise<DataLine[]> {
      return (await ask(operationsOf(name).save, { body: { records } })).data as DataLine[]
    },
    async revoke(name: RecordKindName, ids: readonly string[]): Promise<DataLine[]> {
      return (await ask(operationsOf(name).revoke, { body: { ids } })).data as DataLine[]
    },
    async get(name: RecordKindName, id: string): Promise<Record<string, unknown>> {
      return (await ask(operationsOf(name).get, { params: { id } })).data as Record<string, unknown>
    },
    page,
    /** All pages of a list, in the order of keys. */
    listAll: (name: RecordKindName) => walk((after) => page(name, { limit: '1000', ...after })),
    changes: (name: RecordKindName, changedSince: string, limit = 1000) =>
      walk((after) => page(name, { changedSince, limit: String(limit), ...after })),
    removedPage,
    removals: (name: RecordKindName, removedSince: string, limit = 1000) =>
      walk((after) => removedPage(name, { removedSince, limit: String(limit), ...after })),
    async countAudits(action: string): Promise<number> {
      const { count } = await portal.db
        .selectFrom('audit_log')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('action', '=', action)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

async function walk(read: (after: { after?: string }) => Promise<Page>): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  let after: { after?: string } = {}
  for (;;) {
    const page = await read(after)
    rows.push(...page.data)
    if (page.next === undefined) return rows
    after = { after: page.next }
  }
}
