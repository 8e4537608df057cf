import { expect, test } from 'vitest'
import { runLimitsModel } from '#server/testing/limits-model.ts'

test('limits decide as a recount of everything does in 5,000 steps with kills', async () => {
  const run = await runLimitsModel(5_000, 20)
  expect(run.differences).toEqual([])
  expect(run.kills).toBe(20)
  expect(run.refused).toBeGreaterThan(200)
})
