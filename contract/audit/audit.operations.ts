import * as audit from '#contract/audit/audit.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const auditOperations = operationsOf(audit)
