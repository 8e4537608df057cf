import { OPERATIONS, type OperationName } from '#contract/operations.ts'
import { auditText } from '#domain/audit/audit-texts.ts'
import { OTHER_ACTS } from '#domain/audit/other-acts.ts'
import type { AuditedAct, Words } from '#domain/audit/words.ts'

/** What is audited: every operation under its own name, and a few other acts. */
export type AuditAction = OperationName | keyof typeof OTHER_ACTS

type Described = { readonly summary?: string; readonly audit?: Partial<Words> | undefined }
const DESCRIBED = new Map<string, Described>([
  ...OPERATIONS.map((operation) => [operation.name, operation] as const),
  ...Object.entries<Words>(OTHER_ACTS).map(([action, audit]) => [action, { audit }] as const),
])

/** An act in the words that its operation declares for it. */
export function wordsOf(act: AuditedAct): string {
  const { audit, summary } = DESCRIBED.get(act.action) ?? {}
  return auditText(act, audit, summary)
}
