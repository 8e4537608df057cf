import { expect, test } from 'vitest'
import { runLimitsModel } from '#server/testing/limits-model.ts'

test('limits decide as a recount of everything does, also when the portal is killed', async () => {
  const run = await runLimitsModel(150, 1)
  expect(run.differences).toEqual([])
  expect(run.kills).toBe(1)
  expect(run.refused).toBeGreaterThan(0)
})
