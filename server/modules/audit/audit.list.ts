import { sql } from 'kysely'
import { auditList } from '#contract/audit/audit.ts'
import { ACTOR_KIND } from '#server/audit/chain.queries.ts'
import { listSource } from '#server/lists/list-source.ts'

/** The empty customer number is that of what concerns no account. */
export type AuditScope = { readonly customerNumber: string }

export const auditSource = listSource(auditList, {
  columns: {
    id: 'l.id',
    sequence: 's.sequence',
    time: 'l.at',
    actor: 'l.email',
    actorKind: ACTOR_KIND,
    action: 'l.action',
    text: 'l.text',
    target: 'l.target',
    address: 'l.address',
    program: 'l.program',
    credential: 'l.credential',
    outcome: 'l.outcome',
    before: 'l.before',
    after: 'l.after',
    hash: "encode(s.hash, 'hex')",
  },
  from: ({ customerNumber }: AuditScope) =>
    sql`audit_log l left join audit_seal s on s.customer_number = ${customerNumber} and s.audit_id = l.id`,
  scope: ({ customerNumber }: AuditScope) => sql<boolean>`l.customer_number = ${customerNumber}`,
})
