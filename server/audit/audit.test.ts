import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { hasAuditText } from '#domain/audit/audit-texts.ts'
import { UNAUDITED_WRITES } from '#domain/audit/unaudited-writes.ts'
import { type AuditAction, OTHER_ACTIONS } from '#server/audit/audit.queries.ts'

test('an audit action is an operation or one of a few other acts; any other text does not compile', () => {
  const actions: AuditAction[] = ['fetchUsage/export', 'fetchEntitlementsActive/count', 'sign-in', 'staff.grant']
  // @ts-expect-error -- no operation and no command has this name
  const typo: AuditAction = 'sing-in'
  expect(actions).not.toContain(typo)
  const names = OPERATIONS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('everything that is logged when it was done has words of its own', () => {
  const acts = OPERATIONS.filter(({ writes, media }) => writes || media !== undefined).map(({ name }) => name)
  const wordless = [...acts, ...OTHER_ACTIONS].filter((action) => !hasAuditText(action) && !UNAUDITED_WRITES[action])
  expect(wordless, 'Say in the <module>.audit.ts of the module what these acts are in words').toEqual([])
})
