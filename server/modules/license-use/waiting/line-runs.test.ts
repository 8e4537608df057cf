import { expect, test } from 'vitest'
import { runLine } from '#server/testing/waiting/line-run.ts'

test('50 people in line: nobody is told twice and nobody is forgotten, although the process is killed and the clock jumps', async () => {
  const { faults, kills, told } = await runLine({ seed: 'one', steps: 30, killEvery: 12 })
  expect(faults).toEqual([])
  expect(kills).toBeGreaterThan(0)
  expect(told).toBeGreaterThan(10)
})
