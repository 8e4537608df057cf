import { expect, test } from 'vitest'
import { progressOn } from '#server/cli/progress.ts'

function reported(totals: readonly number[], isTTY: boolean): string[] {
  const written: string[] = []
  const progress = progressOn({ isTTY, write: (text) => written.push(text) })
  for (const total of totals) for (let done = 0; done <= total; done++) progress(done, total, `step ${done}`)
  return written
}

test('without a terminal, a few lines are printed for each task', () => {
  expect(reported([76, 2], false)).toEqual([
    '  0/76 step 0\n',
    '  19/76 step 19\n',
    '  38/76 step 38\n',
    '  57/76 step 57\n',
    '  76/76 step 76\n',
    '  0/2 step 0\n',
    '  1/2 step 1\n',
    '  2/2 step 2\n',
  ])
})

test('on a terminal every step moves the bar', () => {
  const steps = reported([76], true)
  expect(steps).toHaveLength(77)
  expect(steps.at(-1)).toMatch(/76\/76 step 76\n$/)
})
