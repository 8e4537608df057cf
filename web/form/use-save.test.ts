import { expect, test } from 'vitest'
import { nextAttempt } from '#web/form/use-save.ts'

test('the same content keeps its idempotency key while it is unanswered', () => {
  const first = nextAttempt({ name: 'a' }, undefined)
  expect(first.key).toMatch(/^[0-9a-f]{32}$/)
  expect(nextAttempt({ name: 'a' }, first).key).toBe(first.key)
})

test('other content, and content that was answered, get a new idempotency key', () => {
  const first = nextAttempt({ name: 'a' }, undefined)
  expect(nextAttempt({ name: 'b' }, first).key).not.toBe(first.key)
  expect(nextAttempt({ name: 'a' }, undefined).key).not.toBe(first.key)
})
