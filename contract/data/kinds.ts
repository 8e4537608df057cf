import { accountRecords } from '#contract/data/accounts.ts'
import { productRecords } from '#contract/data/products.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'

const kinds = [productRecords, accountRecords] as const satisfies readonly RecordKind[]

export type RecordKindName = (typeof kinds)[number]['name']

/** Every kind of record, each after those that it refers to: in this order an empty installation can be filled. */
export const RECORD_KINDS: readonly RecordKind<RecordKindName>[] = kinds
