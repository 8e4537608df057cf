import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runVitest } from './vitest-suite.ts'

test('the output of a vitest run shows what failed and leaves out what passed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'vitest-suite-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const project = { name: 'sample', globals: true, include: ['*.test.mjs'] }
  writeFileSync(
    join(root, 'vitest.config.mjs'),
    `export default { test: { projects: [{ test: ${JSON.stringify(project)} }] } }`,
  )
  writeFileSync(
    join(root, 'seats.test.mjs'),
    `test('a seat is kept', () => {})\ntest('a seat is lost', () => expect(2).toBe(3))`,
  )
  writeFileSync(join(root, 'hosts.test.mjs'), `test('a host is added', () => {})`)

  const outcome = await runVitest('sample', {}, root)
  expect(outcome).toMatchObject({ passed: 2, failed: 1, failures: ['a seat is lost'] })
  expect(outcome.output).toContain('expected 2 to be 3')
  expect(outcome.output).not.toMatch(/✓|hosts\.test/)
})
