import type { RecordKindName } from '#contract/data/kinds.ts'
import type { Tables } from '#server/db/tables.ts'

export type DataRows = {
  removed_record: { customer_number: string; kind: RecordKindName; id: string; removed_at: Date }
}

declare module '#server/db/schema.ts' {
  interface DB extends DataRows {}
}

export const dataTables: Tables<DataRows> = {
  owns: ['removed_record'],
}
