import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import type { AuditAction } from '#server/audit/audit.queries.ts'

test('an audit action is an operation or one of a few other acts; any other text does not compile', () => {
  const actions: AuditAction[] = ['fetchUsage/export', 'fetchEntitlementsActive/count', 'sign-in', 'staff.grant']
  // @ts-expect-error -- no operation and no command has this name
  const typo: AuditAction = 'sing-in'
  expect(actions).not.toContain(typo)
  const names = OPERATIONS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
