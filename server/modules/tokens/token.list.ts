import { sql } from 'kysely'
import { tokenList } from '#contract/tokens/tokens.ts'
import { listSource } from '#server/lists/list-source.ts'

/** The tokens of one account, those that ended as well. */
export const tokenSource = listSource(tokenList, {
  columns: {
    id: 't.id::text',
    name: 't.name',
    owner: 't.owner',
    scopes: 't.scopes',
    addresses: 't.addresses',
    created: 't.created_at',
    expires: 't.expires_at',
    lastUsed: 't.last_used_at',
    lastAddress: 't.last_address',
    revoked: 't.revoked_at',
    replacedBy: 't.replaced_by::text',
  },
  from: sql`api_token t`,
  scope: ({ customerNumber }: { readonly customerNumber: string }) =>
    sql<boolean>`t.customer_number = ${customerNumber}`,
})
