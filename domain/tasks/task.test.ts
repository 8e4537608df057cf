import { expect, test } from 'vitest'
import { taskFailureText } from '#domain/tasks/task.ts'

test.each([
  ['no-space', /^The portal ran out of disk space\./],
  ['person-quota', /^Your reports would take up more space than you have\./],
  ['account-quota', /^The reports of this account would take up more space than it has\./],
  ['error', /^Something went wrong on our side\./],
] as const)('a task that failed with %s says so in the words of its kind', (failure, text) => {
  expect(taskFailureText(failure, 'report')).toMatch(text)
})
