import { DATA_OPERATIONS } from '#contract/data/record-operations.ts'
import { REMOVED_OPERATIONS } from '#contract/data/removed-records.ts'

export const dataOperations = [...DATA_OPERATIONS, ...REMOVED_OPERATIONS]
