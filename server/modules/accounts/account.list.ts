import { sql } from 'kysely'
import { type Actor, isStaff } from '#domain/access/standing.ts'
import { defineList } from '#server/lists/list-source.ts'
import { visibleTo } from '#server/modules/accounts/visible-accounts.queries.ts'

/** Accounts that one person sees. Staff share a scope, so that nothing about a token depends on who they are. */
export const accountList = defineList({
  name: 'accounts',
  fields: {
    AccountName: { type: 'text', column: 'a.name', nullable: false },
    AccountID: { type: 'text', column: 'a.customer_number', nullable: false },
  },
  key: ['AccountID'],
  defaultSort: [{ name: 'AccountID', direction: 'asc' }],
  from: sql`account a`,
  scope: ({ contactOf }: { contactOf: string | null }) => visibleTo(contactOf),
})

export const accountScope = (actor: Actor) => ({ contactOf: isStaff(actor) ? null : actor.email })
