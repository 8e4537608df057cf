import { AUDIT_COLUMNS, auditList } from '#contract/audit/audit.ts'
import { query } from '#web/lib/api/api-query.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

/** The log of an account, or without a number what concerns no account. */
export type Chain = { readonly customerNumber?: string }

const ATTRIBUTES = ['id', 'before', 'after', ...AUDIT_COLUMNS.map(([field]) => field)] as const
const keyOf = ({ customerNumber = '' }: Chain) => ['audit', customerNumber]

export const auditSource = (chain: Chain) => sourceOf(auditList, chain, { key: keyOf(chain), attributes: ATTRIBUTES })

export const checkpointsQuery = (chain: Chain) => query('audit/checkpoints', { query: chain })
