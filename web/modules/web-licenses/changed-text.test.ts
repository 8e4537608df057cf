import { expect, test } from 'vitest'
import { changedText } from '#web/modules/web-licenses/changed-text.ts'

const lines = (...changed: boolean[]) => changed.map((one) => ({ changed: one }))

test.each([
  [lines(true, true), 'The users have been deleted.'],
  [lines(true, false), '1 of 2 users was deleted. Somebody else had deleted the others before.'],
  [lines(false, false, false), '0 of 3 users were deleted. Somebody else had deleted the others before.'],
])('a batch with the lines %j says "%s"', (changed, text) => {
  expect(changedText(changed, 'The users have been deleted.', 'deleted')).toBe(text)
})
