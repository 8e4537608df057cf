import { queryOptions } from '@tanstack/react-query'
import { AUDIT_COLUMNS, auditList } from '#contract/audit/audit.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { ask, call, fetchFile } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

/** The log of an account, or without a number what concerns no account. */
export type Chain = { readonly customerNumber?: string }

const ATTRIBUTES = ['id', 'before', 'after', ...AUDIT_COLUMNS.map(([field]) => field)] as const
const keyOf = ({ customerNumber = '' }: Chain) => ['audit', customerNumber]

export const auditSource = (chain: Chain) => sourceOf(auditList, chain, { key: keyOf(chain), attributes: ATTRIBUTES })

export const fetchAuditCsv = (chain: Chain, question: { filter: FilterInput; sorting: SortInput[] }) =>
  fetchFile('audit/export', { body: { ...chain, ...question } })

export const fetchAuditLines = (chain: Chain) => fetchFile('audit/lines', { query: chain })

export const checkpointsQuery = (chain: Chain) =>
  queryOptions({
    queryKey: ['audit-checkpoints', chain.customerNumber ?? ''],
    queryFn: ({ signal }) => call('audit/checkpoints', { query: chain, signal }),
  })

export const startExport = (customerNumber: string, filter: FilterInput) =>
  ask('audit/exports/start', { body: { customerNumber, filter } })
