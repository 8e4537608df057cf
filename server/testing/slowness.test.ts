import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

function limitIn(slowness?: string): number {
  const script = `console.log((await import('#server/testing/slowness.ts')).limit(1000))`
  const env = { PATH: process.env.PATH, ...(slowness && { TEST_SLOWNESS: slowness }) }
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }))
}

test('time limits are four times as long in a run that measured a machine four times slower', () => {
  expect(limitIn('4')).toBe(4000)
})

test('time limits never get shorter than they are written, nor more than ten times longer', () => {
  const measured = limitIn()
  expect(measured).toBeGreaterThanOrEqual(1000)
  expect(measured).toBeLessThanOrEqual(10_000)
})
