import { expect, test } from 'vitest'
import { runSteps } from './run-steps.ts'
import type { Outcome, Step } from './step.ts'

const never = new AbortController().signal
const step = (title: string, alone: boolean, run: () => Promise<Outcome>): Step => ({ title, alone, run })
const passes = async (): Promise<Outcome> => ({ passed: 3, failed: 0, output: '' })
const fails = async (): Promise<Outcome> => ({ passed: 1, failed: 2, output: 'why' })
const breaks = async (): Promise<Outcome> => {
  throw new Error('the step itself is broken')
}

test('a failed step does not stop the others, and every test is counted once', async () => {
  const told: string[] = []
  const steps = [step('a', false, fails), step('b', false, breaks), step('c', true, passes), step('d', true, passes)]
  const total = await runSteps(steps, ({ title }) => told.push(title), never)
  expect(total).toEqual({ passed: 7, failed: 3 })
  expect(told.sort()).toEqual(['a', 'b', 'c', 'd'])
})

test('a step that throws reports the reason', async () => {
  const outputs: string[] = []
  await runSteps([step('b', false, breaks)], (_step, { output }) => outputs.push(output), never)
  expect(outputs[0]).toContain('the step itself is broken')
})

test('checks share the two cores, and a step that needs both runs alone', async () => {
  let now = 0
  const seen: Record<string, number> = {}
  const watched = (title: string, alone: boolean) =>
    step(title, alone, async () => {
      now += 1
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
      seen[title] = now
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
      now -= 1
      return passes()
    })
  await runSteps(
    [watched('alone', true), watched('a', false), watched('b', false), watched('also alone', true)],
    () => {},
    never,
  )
  expect(seen).toEqual({ a: 2, b: 2, alone: 1, 'also alone': 1 })
})

test('no step is started or reported after an interruption', async () => {
  const interruption = new AbortController()
  const started: string[] = []
  const told: string[] = []
  const watched = (title: string, interrupt: boolean) =>
    step(title, true, async () => {
      started.push(title)
      if (interrupt) interruption.abort()
      return fails()
    })
  await runSteps([watched('a', true), watched('b', false)], ({ title }) => told.push(title), interruption.signal)
  expect({ started, told }).toEqual({ started: ['a'], told: [] })
})
